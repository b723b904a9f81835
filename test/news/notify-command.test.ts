import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeNewsStage, readTitle } from "../support/news-stage.ts";
import { reply, useNoticeServers } from "../support/notice-servers.ts";
import { useSortie } from "../support/sortie.ts";

const sortie = useSortie();
const servers = useNoticeServers();
const stage = makeNewsStage(sortie);

it("`notify test` sends one card on each channel, and says of each what came of it", async () => {
  const feishu = await servers.serveFeishu({ script: [0, 19024] });
  stage.setFeishu({ mode: "push", webhook_url: feishu.url });
  const webhook = await servers.serve((_call, response) => reply(response, {}));
  mkdirSync(sortie.home(), { recursive: true, mode: 0o700 });
  writeFileSync(join(sortie.home(), "config.yaml"), `notify_webhook: ${webhook.url}/T01/webhook-token\n`);
  expect(await sortie.ask(["notify", "test"])).toMatchObject({
    ...{ exit: 0, ok: true },
    channels: [
      { channel: "feishu", state: "sent", reason: null },
      { channel: "webhook", state: "sent", reason: null },
    ],
  });
  expect(feishu.calls.map(readTitle)).toEqual(["Test of the notices"]);
  expect(webhook.calls[0]?.body).toMatchObject({ kind: "test" });
  const env = { SORTIE_NOTIFY_WEBHOOK: "http://127.0.0.1:9/webhook-token" };
  const failed = await sortie.run(["notify", "test"], { env });
  expect(failed.exitCode).toBe(5);
  expect(failed.stdout).toMatch(/^feishu: refused, code 19024.*\nwebhook: not sent, .*\n$/);
  expect(JSON.stringify(failed)).not.toContain("webhook-token");
  expect(stage.readRows()).toEqual([]);
});

it("`notify test` without anything that is set says what to write", async () => {
  const unset = await sortie.ask(["notify", "test"]);
  expect(unset).toMatchObject({ exit: 2, error: { code: "notify_unset" } });
  expect(unset.error.hint).toContain("notify_webhook");
  stage.setFeishu({ mode: "loud" });
  expect(await sortie.ask(["notify", "test"])).toMatchObject({
    exit: 2,
    error: { code: "notify_settings_bad" },
  });
  const webhook = await servers.serve((_call, response) => reply(response, {}));
  const env = { SORTIE_NOTIFY_WEBHOOK: `${webhook.url}/T01/webhook-token` };
  const half = await sortie.run(["notify", "test"], { env });
  expect(half).toMatchObject({ exitCode: 5, stdout: "webhook: sent\n" });
  expect(half.stderr).toContain('there is no mode "loud"');
});

it("the doctor says what is set and dials nothing", async () => {
  const find = async (env = {}) => {
    const { findings } = await sortie.ask(["doctor"], { env });
    return findings.filter(({ what }: { what: string }) => what === "notifications");
  };
  expect(await find()).toMatchObject([{ level: "ok", detail: "none are set up" }]);
  const feishu = await servers.serveFeishu();
  stage.setFeishu({ mode: "push", webhook_url: feishu.url });
  expect(await find({ SORTIE_NOTIFY_WEBHOOK: `${feishu.url}/webhook-token` })).toMatchObject([
    {
      level: "ok",
      detail: expect.stringMatching(/^Feishu, mode push, by .*\.codex\/feishu\.json; webhook$/),
    },
  ]);
  const bad = await find({ SORTIE_NOTIFY_WEBHOOK: "http://example.org/webhook-token" });
  expect(bad).toMatchObject([
    { level: "ok", detail: expect.stringMatching(/^Feishu, mode push/) },
    { level: "warning", detail: expect.stringContaining("not encrypted") },
  ]);
  expect(JSON.stringify(bad)).not.toContain("webhook-token");
  expect(feishu.calls).toEqual([]);
});

it("`notify ls` says that nothing was told yet", async () => {
  expect((await sortie.run(["notify", "ls"])).stdout).toBe("Nothing was told yet.\n");
  expect(await sortie.ask(["notify", "ls", "--all"])).toMatchObject({ exit: 0, notices: [] });
});
