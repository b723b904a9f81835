import { expect, onTestFinished, test } from "vitest";
import { platformFlags } from "../../src/gateway/gateway-flags.ts";
import { type PlayedAgent, useAgents } from "../support/agents.ts";
import { type CutMoment, type CutPlayer, cutMoments, makeCutPlayer } from "../support/cut-player.ts";
import { chooseTimes } from "../support/effort.ts";
import { startStage } from "../support/gateway-stage.ts";
import { startLinkProxy } from "../support/link-proxy.ts";
import { makeRandom } from "../support/random.ts";
import { waitFor } from "../support/wait-for.ts";

const startAgent = useAgents();
const seed = Number(process.env["SORTIE_CUT_SEED"] ?? Date.now() % 1_000_000);

const AGENTS = 4;
/** As many of each moment for each agent. */
const CUTS = chooseTimes(504, 1_008);
const PLATFORM_CUTS = chooseTimes(50, 100);
/** Longer than the agent's wait for evidence, so that nothing is called stuck which is only slow. */
const PATIENCE_MS = 1_500;

/** Plays cuts over several agents, each with a network of its own, until all are played. */
async function playCuts(count: number, isPlatform: boolean) {
  const random = makeRandom(seed);
  const wrong: string[] = [];
  const stuck = { neverCame: 0, wasHandled: 0 };
  const lanes: { player: CutPlayer; moments: CutMoment[]; agent: PlayedAgent }[] = [];
  const flags = isPlatform ? platformFlags : {};
  const stage = await startStage({
    flags,
    timers: { windowMs: 20_000, readDeadlineMs: 20_000, pingMs: 5_000 },
  });
  const job = stage.addJob({
    parallelism: AGENTS,
    // On the platform a session that is stuck is lost, and its agent needs another case to go on.
    caseCount: isPlatform ? count + AGENTS : AGENTS,
    simulator: async (policy) => {
      const { agentId } = await waitFor(() =>
        job.tunnels.find(({ sessionId }) => sessionId === policy.sessionId),
      );
      const lane = lanes.find(({ agent }) => agent.agent.agentId === agentId);
      if (lane === undefined) throw new Error(`no lane of agent ${agentId}`);
      return lane.player.play(policy, lane.moments, {
        onWrong: (got, asked) => wrong.push(`reply ${got} to observation ${asked}`),
        onStuck: (wasHandled) => {
          stuck[wasHandled ? "wasHandled" : "neverCame"] += 1;
        },
        patienceMs: isPlatform ? PATIENCE_MS : undefined,
        // A text is read behind the pong that was sent before it; its count shows that it was.
        untilProven: () => waitForEcho(lane.agent, job.sendFrame),
      });
    },
  });
  for (let number = 0; number < AGENTS; number += 1) {
    const proxy = await startLinkProxy(Number(new URL(stage.tunnelUrl).port));
    onTestFinished(() => proxy.close());
    const player = makeCutPlayer(proxy, random);
    const agent = startAgent({
      gatewayUrl: proxy.route(stage.tunnelUrl),
      jobUuid: job.uuid,
      token: job.token,
      handler: player.handler,
      payload: "opaque",
      timers: {
        redialBudgetMs: 20_000,
        pairLiveMs: 20_000,
        redialLeastMs: 2,
        redialMostMs: 20,
        dialMs: 5_000,
      },
    });
    lanes.push({ player, agent, moments: shuffleMoments(count / AGENTS, random) });
  }
  const { cases } = await job.ended;
  const ends = await Promise.all(lanes.map(({ agent }) => agent.agent.ended));
  const cuts = Object.fromEntries(
    cutMoments.map((moment) => [moment, lanes.reduce((sum, { player }) => sum + player.cuts[moment], 0)]),
  );
  const cutsAgain = lanes.reduce((sum, { player }) => sum + player.cutsAgain, 0);
  return { cases, ends, lanes, stage, wrong, stuck, cuts, cutsAgain };
}

test(`${CUTS} random cuts lose, double and reorder nothing with our gateway (seed ${seed})`, async () => {
  const { cases, ends, lanes, stage, wrong, cuts, cutsAgain } = await playCuts(CUTS, false);
  const resent = ends.reduce((sum, { report }) => sum + report.resent, 0);
  const repeats = stage.find("observation_sent").filter((event) => event.resent).length;
  const redials = ends.reduce((sum, { report }) => sum + report.redials, 0);
  console.log(`seed ${seed}:`, {
    cuts,
    cutsAgain,
    redials,
    repliesSentAgain: resent,
    observationsSentAgain: repeats,
  });

  expect(wrong).toEqual([]);
  expect(cases.map(({ result }) => result)).toEqual(Array(AGENTS).fill({ score: 1, steps: CUTS / AGENTS }));
  for (const { player } of lanes)
    expect(player.handled).toEqual(Array.from({ length: CUTS / AGENTS }, (_, index) => index + 1));
  expect(stage.find("reply").every(({ asked }) => asked)).toBe(true);
  expect(stage.find("reply")).toHaveLength(CUTS);
  expect(stage.find("session_opened")).toHaveLength(AGENTS);
  for (const count of Object.values(cuts)) expect(count).toBe(CUTS / cutMoments.length);
  for (const { outcome, report } of ends) {
    expect(outcome).toBe("drained");
    expect(report).toMatchObject({ lost: 0, sessions: 1, replies: CUTS / AGENTS });
    // The last cut may fall behind the last reply: its pong never comes.
    expect(report.unproven).toBeLessThanOrEqual(1);
  }
  for (const count of [resent, repeats]) expect(count).toBeGreaterThan(CUTS / 20);
});

test(`${PLATFORM_CUTS} random cuts on the platform's terms: what is stuck or doubled is told, nothing hangs (seed ${seed})`, async () => {
  const { cases, ends, wrong, stuck, cuts } = await playCuts(PLATFORM_CUTS, true);
  console.log(`seed ${seed}, as the platform:`, { cuts, stuck, doubled: wrong.length });

  expect(ends.map(({ outcome }) => outcome)).toEqual(Array(AGENTS).fill("drained"));
  expect(cases.every(({ result }) => result !== undefined)).toBe(true);
  // Only an observation that the platform lost leaves its session stuck: every reply gets there.
  expect(stuck.wasHandled).toBe(0);
});

/** As many of each moment, in an order of the seed's. */
function shuffleMoments(count: number, random: () => number): CutMoment[] {
  const moments = Array.from(
    { length: count },
    (_, index) => cutMoments[index % cutMoments.length] as CutMoment,
  );
  for (let last = moments.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [moments[last], moments[other]] = [moments[other] as CutMoment, moments[last] as CutMoment];
  }
  return moments;
}

/** Waits until an agent has read a control message that is sent now. */
async function waitForEcho(agent: PlayedAgent, sendFrame: (agentId: string, data: string) => boolean) {
  const count = () => agent.events.filter(({ detail }) => detail === "queued: echo").length;
  const before = count();
  sendFrame(agent.agent.agentId, '{"type":"queued","reason":"echo"}');
  await waitFor(() => count() > before, { intervalMs: 1 });
}
