import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { reply, useNoticeServers } from "../../test/support/notice-servers.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import { makeDesktopNotifier } from "./desktop-notifier.ts";
import { listNotifySecrets, makeNotifiers } from "./make-notifiers.ts";
import type { Notice } from "./notice.ts";
import { makeUnsentFault, type Unsent } from "./notifier.ts";
import { makeWebhookNotifier } from "./webhook-notifier.ts";

const folder = useTempFolder();
const servers = useNoticeServers();
const notice: Notice = {
  ...{ kind: "error", subject: "r1", phase: "1", at: "2026-01-02T03:04:05.000Z" },
  ...{ what: "sync <b>", message: "-x & y", lines: [] },
};

it("posts JSON that chat programs show and programs can read", async () => {
  const server = await servers.serve((_call, response) => reply(response, {}));
  expect(await makeWebhookNotifier({ url: `${server.url}/hook` }).send(notice)).toEqual({ state: "sent" });
  expect(server.calls[0]?.body).toEqual({
    ...{ schema: 1, text: "Error: sync <b>\n-x & y\nAbout: r1", title: "Error: sync <b>", kind: "error" },
    ...{ keys: ["r1/error/1"], at: notice.at, notices: [notice] },
  });
});

it("says in whole seconds how long it waited", async () => {
  const server = await servers.serve(() => undefined);
  const outcome = await makeWebhookNotifier({ url: server.url, timeoutMs: 600.25 }).send(notice);
  expect(outcome).toMatchObject({ reason: "there was no whole answer within 1 s" });
});

it("hides the webhook's own token", async () => {
  const server = await servers.serve((_call, response) => reply(response, {}, 500));
  const url = `${server.url}/T01/abcdefghij`;
  const outcome = await makeWebhookNotifier({ url }).send({
    ...notice,
    message: `by abcdefghij and ${url}`,
  } as Notice);
  expect(outcome).toEqual({ state: "busy", reason: "it answered with status 500" });
  expect(server.calls[0]?.text).not.toContain("abcdefghij");
  expect(makeUnsentFault("webhook", outcome as Unsent).message).toMatch(
    /did not go out by webhook: it answered with status 500/,
  );
  expect(() => makeWebhookNotifier({ url: "ftp://host/abcdefghij" })).toThrow(
    /^(?!.*abcdefghij).*no address/,
  );
});

it.each(["linux", "darwin"] as const)("shows it on the desktop of %s", async (platform) => {
  const name = platform === "darwin" ? "osascript" : "notify-send";
  const record = join(folder(), "arguments");
  writeFileSync(
    join(folder(), name),
    `#!/bin/sh\nfor word; do printf '%s\\n' "$word"; done >"${"$"}{0%/*}/arguments"\n`,
  );
  chmodSync(join(folder(), name), 0o755);
  const env = { PATH: `${folder()}:/usr/bin:/bin`, DISPLAY: ":0" };
  const notifier = makeDesktopNotifier({ runner: makeLocalRunner(), env, platform });
  expect(await notifier?.send(notice)).toEqual({ state: "sent" });
  const words = readFileSync(record, "utf8");
  if (platform === "darwin") expect(words).toContain("end run\nSortie: Error: sync <b>\n-x & y\nAbout: r1\n");
  else {
    expect(words).toBe(
      "--app-name=Sortie\n--urgency=critical\n--\nSortie: Error: sync <b>\n-x &amp; y\nAbout: r1\n",
    );
  }
});

it("has no desktop where there is no program or no display, and says how a program failed", async () => {
  const runner = makeLocalRunner();
  const env = { PATH: folder(), DISPLAY: ":0" };
  expect(makeDesktopNotifier({ runner, env, platform: "linux" })).toBeNull();
  writeFileSync(join(folder(), "notify-send"), "#!/bin/sh\necho no bus >&2\nexit 1\n", { mode: 0o755 });
  expect(makeDesktopNotifier({ runner, env: { PATH: folder() }, platform: "linux" })).toBeNull();
  const notifier = makeDesktopNotifier({ runner, env, platform: "linux" });
  expect(await notifier?.send(notice)).toEqual({ state: "refused", reason: "no bus" });
});

it("has every way that is set, and none where nothing is", () => {
  const common = { desktop: null, clock: systemClock };
  expect(makeNotifiers({ ...common, feishu: null, webhookUrl: null })).toEqual([]);
  const bridge = { url: "http://localhost:1", timeoutMs: 1, people: [] };
  const feishu = {
    mode: "interactive" as const,
    webhookUrl: null,
    secret: "s3cr3t",
    bridge,
    warnings: [],
    file: "f",
  };
  const made = makeNotifiers({ ...common, feishu, webhookUrl: "https://host/hook/abcdefghij" });
  expect(made.map(({ channel }) => channel)).toEqual(["feishu", "webhook"]);
  const secrets = listNotifySecrets(feishu, "https://host/hook/abcdefghij");
  expect(secrets).toEqual(["https://host/hook/abcdefghij", "abcdefghij", "s3cr3t"]);
});
