import { expect, test } from "vitest";
import { useAgents } from "../support/agents.ts";
import { makeHeldHandler, startTunnelStage } from "../support/tunnel-stage.ts";
import { waitFor } from "../support/wait-for.ts";

const startAgent = useAgents();
const ask = async (policy: { infer(bytes: Uint8Array): Promise<Uint8Array> }, text: string) =>
  Buffer.from(await policy.infer(Buffer.from(text))).toString();

/** A session whose first reply has arrived, though the agent got no proof of it; then the link was cut. */
async function cutBehindReply() {
  const { proxy, stage, job, start, nextCase } = await startTunnelStage(startAgent);
  const { handler, isBusy, letGo } = makeHeldHandler();
  const agent = start({ handler, timers: { evidenceMs: 30, redialBudgetMs: 10_000 } });
  const played = await nextCase();
  const first = ask(played.policy, "one");
  await isBusy();
  proxy.pause("down"); // the pong does not come
  await letGo();
  expect(await first).toBe("reply to one");
  proxy.holdBehindHandshake(300);
  proxy.cut();
  proxy.resume("down");
  return { agent, job, stage, letGo, ...played };
}

test("a reply that arrived unproven is not sent again, however late the words behind the next handshake come", async () => {
  const { agent, stage, letGo, policy } = await cutBehindReply();
  const second = ask(policy, "two");
  await letGo();
  expect(await second).toBe("reply to two");
  const third = ask(policy, "three");
  await letGo();
  expect(await third).toBe("reply to three");
  expect(stage.find("reply").map(({ asked }) => asked)).toEqual([true, true, true]);
  expect((await agent.agent.stop()).report).toMatchObject({ resent: 0, replies: 3, redials: 1 });
});

test("nor where the drain is what comes late, and the agent is done at once", async () => {
  const { agent, job, finish } = await cutBehindReply();
  await waitFor(() => agent.agent.state === "redialing" || agent.agent.state === "running");
  finish();
  expect((await job.ended).cases[0]).toMatchObject({ result: { score: 1 } });
  const { outcome, report } = await agent.agent.ended;
  expect([outcome, report.lost]).toEqual(["drained", 0]);
});
