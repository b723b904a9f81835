import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeGpus } from "../support/fake-gpus.ts";
import { makeNewsStage, readTitle, UNTIL_GO } from "../support/news-stage.ts";
import { useNoticeServers } from "../support/notice-servers.ts";
import { useSortie } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const sortie = useSortie();
const servers = useNoticeServers();
const stage = makeNewsStage(sortie);
const CPU = ["--gpus", "none"];

describe("a run", () => {
  it("has one card at its launch and one at its end, though its watcher is killed three times", async () => {
    const secret = "s1gning-secret";
    const feishu = await servers.serveFeishu({ secret });
    stage.setFeishu({ mode: "push", webhook_url: feishu.url, secret });
    const { env } = makeFakeGpus(sortie.temp());
    const run = await sortie.launch(UNTIL_GO, ["--name", "first", "--expect", "2h"], { env });
    await stage.waitForStates(["launched sent"]);
    await stage.killWatcher();
    await stage.killWatcher();
    stage.go();
    await stage.killWatcher();
    await stage.waitForStates(["launched sent", "ended sent"]);
    await stage.waitForQuiet();
    expect(feishu.cards.map(readTitle)).toEqual(["1 experiment launched", "Experiment succeeded: first"]);
    expect(feishu.calls).toHaveLength(2);
    const [launched, ended] = feishu.cards.map(({ text }) => text);
    expect(launched).toContain(`first &#40;${run.id}&#41; on local: GPU 0 &#40;NVIDIA A100`);
    expect(launched).toContain("about 2 h");
    expect(ended).toContain("results: results/a");
    expect((await sortie.ask(["notify", "ls"])).notices).toMatchObject([
      { subject: run.id, phase: "ended", state: "sent", reason: null, channel: "feishu" },
      { subject: run.id, phase: "launched", state: "sent" },
    ]);
    await sortie.ask(["clean", "first", "--yes"]);
    expect(stage.readRows()).toEqual([]);
  });

  it("that failed is told with its reason and exit code, and without any secret", async () => {
    const feishu = await servers.serveFeishu({ secret: "s1gning-secret" });
    stage.setFeishu({ mode: "push", webhook_url: feishu.url, secret: "$BOT_SECRET" });
    const env = { BOT_SECRET: "s1gning-secret", HF_TOKEN: "s3ntinel-by-caller" };
    const flags = [...CPU, "--yes", "--target", "local", "--env", "KEY=s3ntinel-by-flag"];
    const fail = ["sh", "-c", 'echo "$KEY $HF_TOKEN" >&2; exit 3'];
    expect(await sortie.ask(["run", ...flags, "--", ...fail], { env })).toMatchObject({ exit: 1 });
    await stage.waitForStates(["ended sent"]);
    const [card] = feishu.cards;
    expect(card?.text).toContain("exit code 3");
    expect(card?.body).toMatchObject({ card: { header: { template: "red" } } });
    const held = JSON.stringify([feishu.calls, stage.readRows(), stage.readLog()]);
    for (const word of ["s3ntinel", "s1gning-secret", "0a1b2c3d-token"]) {
      // The address is where it was sent to; the bot knows its own.
      const seen = word.endsWith("token")
        ? held.replaceAll('"path":"/open-apis/bot/v2/hook/0a1b2c3d-token"', "")
        : held;
      expect(seen).not.toContain(word);
    }
  });
});

describe("without a wish for notices", () => {
  it.each(["no settings", "mode off"])("with %s there is no request and no row", async (how) => {
    const feishu = await servers.serveFeishu();
    if (how === "mode off") stage.setFeishu({ mode: "off", webhook_url: feishu.url });
    expect(await sortie.ask(["run", ...CPU, "--target", "local", "--yes", "--", "true"])).toMatchObject({
      exit: 0,
    });
    await stage.waitForQuiet();
    expect([feishu.calls, stage.readRows(), stage.readRows("notice_channels")]).toEqual([[], [], []]);
    expect(stage.readLog()).toBe("");
  });
});

it("a broken file of settings stops no run: it is told at the launch, by the doctor and in the watcher's log", async () => {
  stage.setFeishu('{"mode": "push", "webhook_url": "https://open.feishu.cn/hook/t0psecret"');
  const told = /^warning: no notices are sent\. The settings of Feishu in .*feishu\.json will not do/m;
  const outcome = await sortie.run([
    "run",
    ...CPU,
    "--target",
    "local",
    "--yes",
    "--detach",
    "--",
    ...UNTIL_GO,
  ]);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.stderr.match(new RegExp(told, "gm"))).toHaveLength(1);
  await waitFor(() => stage.readLog() !== "", { what: "the fault in the watcher's log" });
  stage.go();
  await stage.waitForQuiet();
  expect(stage.readLog().match(/The settings of Feishu in/g)).toHaveLength(1);
  const { findings, exit } = await sortie.ask(["doctor"]);
  expect(exit).toBe(0);
  const found = findings.filter(({ what }: { what: string }) => what === "notifications");
  expect(found).toMatchObject([{ level: "warning", detail: expect.stringContaining("it is no JSON") }]);
  expect(JSON.stringify([outcome, stage.readLog(), findings])).not.toContain("t0psecret");
  writeFileSync(join(sortie.home(), "config.yaml"), "notify_desktop: maybe\n");
  stage.setFeishu({ mode: "off" });
  const again = await sortie.run(["run", ...CPU, "--target", "local", "--yes", "--", "true"]);
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("notify_desktop must be") });
});
