import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { SortieError } from "../../base/error.ts";
import { loadNotifySettings } from "./load-notify-settings.ts";

const folder = useTempFolder();
const url = "https://open.feishu.cn/open-apis/bot/v2/hook/0a1b2c3d-token";

function write(content: unknown, { place = ".codex/feishu.json", mode = 0o600 } = {}): string {
  const path = join(folder(), place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}

function load(env: Record<string, string> = {}) {
  return loadNotifySettings({ home: folder(), env });
}

function fail(): SortieError {
  try {
    load();
  } catch (fault) {
    if (fault instanceof SortieError) return fault;
  }
  return expect.fail("it was taken");
}

it("is nothing where no file is there, or the mode is off in the first of them", () => {
  expect(load()).toBeNull();
  write({ mode: "push", webhook_url: url }, { place: ".claude/feishu.json" });
  expect(load()).toMatchObject({ mode: "push", warnings: [] });
  write({ mode: "off", webhook_url: 7 });
  expect(load()).toBeNull();
});

it("reads the older text's file as it stands there", () => {
  const file = write({
    ...{ mode: "interactive", webhook_url: url },
    interactive: { bridge_url: "http://localhost:5000/", timeout_seconds: 30 },
  });
  expect(load()).toEqual({
    ...{ mode: "interactive", webhookUrl: url, secret: null, warnings: [], file },
    bridge: { url: "http://localhost:5000", timeoutMs: 30_000, people: [] },
  });
});

it("is lenient about names, case, a mark of byte order, and takes values from the environment", () => {
  write(
    `\uFEFF{"Mode": " Interactive ", "webhookUrl": "$HOOK", "sign-secret": "\${SIGN}",
      "interactive": {"bridgeUrl": "http://127.0.0.1:5000", "timeout": "9", "open_id": "ou_1"}}`,
  );
  expect(load({ HOOK: url, SIGN: "abc" })).toMatchObject({
    ...{ mode: "interactive", webhookUrl: url, secret: "abc" },
    bridge: { timeoutMs: 9_000, people: ["ou_1"] },
  });
  expect(fail().message).toContain("`webhook_url` names the variable HOOK, which is not set");
});

it("warns of keys that it does not know, and of a file that others can read", () => {
  const path = write({ mode: "push", webhook_url: url, secrett: "abc" }, { mode: 0o644 });
  expect(load()?.warnings).toEqual([
    `${path}: other users of this machine can read it, and may post to your group with it: chmod 600`,
    `${path}: the key \`secrett\` is not known; did you mean \`secret\`?`,
  ]);
});

it.each([
  ["", "it is empty"],
  ['{"mode": "push",\n "webhook_url": "hush-hush" oops}', "it is no JSON"],
  ['{"mode": "pu', "it is no JSON"],
  ["[1]", "there is no JSON object in it"],
  [{ webhook_url: url }, "`mode` is missing"],
  [{ mode: "pusch", webhook_url: url }, 'there is no mode "pusch"'],
  [{ mode: ["push"] }, 'there is no mode ["push"]'],
  [{ mode: "push", webhook_url: 5 }, "`webhook_url` is no text"],
  [{ mode: "push" }, "`webhook_url` is missing"],
  [{ mode: "push", webhook_url: "http://open.feishu.cn/hush-hush" }, "it is not encrypted"],
  [{ mode: "push", webhook_url: "https://a:hush-hush@b" }, "a user name or a password"],
  [{ mode: "push", webhook_url: "hush-hush" }, "it cannot be read as a URL"],
  [{ mode: "interactive", webhook_url: url }, "`interactive` is missing or no object"],
  [{ mode: "interactive", interactive: {} }, "`interactive.bridge_url` is missing"],
  [
    { mode: "interactive", interactive: { bridge_url: "http://localhost:5", timeout_seconds: -1 } },
    "is no number from 1",
  ],
  [
    { mode: "interactive", interactive: { bridge_url: "http://localhost:5", people: [7] } },
    "`interactive.people` is no list",
  ],
])("refuses %j, with the file and without what may be secret", (content, reason) => {
  const path = write(content);
  const fault = fail();
  expect(fault).toMatchObject({ code: "notify_settings_bad", exit: 2 });
  expect(fault.message).toContain(path);
  expect(fault.message).toContain(reason);
  expect(JSON.stringify({ ...fault, message: fault.message })).not.toContain("hush-hush");
});

it("names the mode that was meant", () => {
  write({ mode: "pusch", webhook_url: url });
  expect(fail().hint).toContain("Did you mean `push`?");
});

it("says that a folder or a file without end is none", () => {
  mkdirSync(join(folder(), ".codex/feishu.json"), { recursive: true });
  expect(fail()).toMatchObject({
    code: "notify_settings_unreadable",
    message: expect.stringContaining("no file"),
  });
});
