import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeNewsStage } from "../support/news-stage.ts";
import { reply, type TakenCall, useNoticeServers } from "../support/notice-servers.ts";
import { useSortie } from "../support/sortie.ts";

const sortie = useSortie();
const servers = useNoticeServers();
const stage = makeNewsStage(sortie);
const RUN = ["run", "--target", "local", "--gpus", "none"];
const COMMAND = ["--", "sh", "-c", "echo 1 >launched"];

/** A bridge whose person answers each question like this; `PLAN` stands for the plan that was asked about. */
async function serveBridge(answer: Readonly<Record<string, unknown>> | null) {
  let plan = "";
  const bridge = await servers.serve((call: TakenCall, response) => {
    if (call.path === "/send") {
      plan = String(call.body["plan"] ?? plan);
      return reply(response, { ok: true, message_id: "om_1" });
    }
    if (answer === null) return reply(response, "<html>");
    return reply(response, JSON.parse(JSON.stringify(answer).replaceAll("PLAN", plan)));
  });
  return bridge;
}

function setInteractive(url: string) {
  const interactive = { bridge_url: url, timeout_seconds: 2, people: ["ou_ann"] };
  stage.setFeishu({ mode: "interactive", interactive });
}

const isLaunched = () => existsSync(join(sortie.project(), "launched"));

it("a run is launched on the yes of a person who may give it, to the very plan that was asked about", async () => {
  const bridge = await serveBridge({ reply: "launch PLAN", open_id: "ou_ann", message_id: "om_1" });
  setInteractive(bridge.url);
  const { run, plan, exit } = await sortie.ask([...RUN, "--ask", ...COMMAND]);
  expect([exit, run.state, isLaunched()]).toEqual([0, "succeeded", true]);
  const asked = bridge.calls.find(({ body }) => body["type"] === "checkpoint");
  expect(asked?.body).toMatchObject({ plan: plan.id, options: ["launch", "leave it"] });
  expect(asked?.body["body"]).toContain("echo 1");
});

it.each([
  ["a no", { reply: "leave it", open_id: "ou_ann" }, /the answer was "leave it", by ou_ann/],
  ["another's yes", { reply: "launch", open_id: "ou_eve" }, /ou_eve may not answer/],
  ["a yes of nobody", { reply: "launch" }, /does not say who replied/],
  ["a yes to another plan", { reply: "launch", open_id: "ou_ann", plan: "p0123456789" }, /another plan/],
  ["other words", { reply: "sure, go ahead", open_id: "ou_ann" }, /is none of/],
  ["silence", { timeout: true }, /nobody answered in time/],
  ["garbage", null, /cannot be understood/],
])("%s launches nothing: exit 3, and it says why", async (_, answer, reason) => {
  setInteractive((await serveBridge(answer)).url);
  const asked = await sortie.ask([...RUN, "--ask", ...COMMAND]);
  expect(asked).toMatchObject({ exit: 3, answer: { reason: expect.stringMatching(reason) } });
  expect(asked.confirm).toBe(`sortie confirm ${asked.plan.id}`);
  expect(isLaunched()).toBe(false);
  expect((await sortie.ask(["ls"])).runs).toEqual([]);
});

it("a plan that was printed is asked about as well, and a bridge that is down is no yes", async () => {
  const { plan } = await sortie.ask([...RUN, ...COMMAND]);
  const down = await serveBridge(null);
  setInteractive(down.url);
  await down.stop();
  const refused = await sortie.run(["confirm", plan.id, "--ask"]);
  expect(refused).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("Nothing was launched: the bridge"),
  });
  const bridge = await serveBridge({ reply: "Launch", open_id: "ou_ann" });
  setInteractive(bridge.url);
  expect(await sortie.ask(["confirm", plan.id, "--ask"])).toMatchObject({
    exit: 0,
    run: { state: "succeeded" },
  });
  expect(bridge.calls[0]?.body).toMatchObject({ plan: plan.id });
  expect(await sortie.ask(["confirm", plan.id, "--ask"])).toMatchObject({
    exit: 4,
    error: { code: "plan_used" },
  });
});

it("without the mode for it nothing is planned: exit 2, and it says what to write", async () => {
  const ask = async (...flags: string[]) => sortie.ask([...RUN, "--ask", ...flags, ...COMMAND]);
  expect(await ask()).toMatchObject({ exit: 2, error: { code: "notify_not_interactive" } });
  const feishu = await servers.serveFeishu();
  stage.setFeishu({ mode: "push", webhook_url: feishu.url });
  expect(await ask()).toMatchObject({ exit: 2, error: { message: expect.stringContaining("is push") } });
  expect(await ask("--yes")).toMatchObject({ exit: 2, error: { code: "usage" } });
  expect([feishu.calls, isLaunched()]).toEqual([[], false]);
});
