import { isAnswered, type Pending, type SessionPlay, send } from "./ask.ts";
import type { Cut, Exchange } from "./evidence.ts";
import { findPercentile } from "./percentiles.ts";
import { waitUntil } from "./wait-until.ts";

/** Half of the usual time is a good guess at the middle of the handler, within these. */
const LEAST_MS = 5;
const MOST_MS = 1_000;
/** After a resume a handler may begin again, on a machine that has other things to do. */
const PATIENCE = 4;

const secondWarmUp = JSON.stringify({ type: "warmup" });

/** Cuts the link while an observation is with the handler, and waits for the answer over the next link. */
export async function cutInHandler(play: SessionPlay): Promise<boolean> {
  const { scene } = play;
  const usualMs = findUsualMs(play);
  const pending = send(play, { isCut: true, activity: "cut" });
  await scene.clock.sleep(Math.min(MOST_MS, Math.max(LEAST_MS, usualMs / 2)), scene.over);
  const backAfterMs = await cut(play);
  const recovery = await waitForAnswer(play, pending, backAfterMs, usualMs);
  return finish(play, "in_handler", backAfterMs, recovery);
}

/** Cuts the link as soon as an answer has arrived: the agent cannot know that it did. What comes next is new. */
export async function cutAfterReply(play: SessionPlay): Promise<boolean> {
  const { scene } = play;
  const usualMs = findUsualMs(play);
  if (!(await isAnswered(play))) return false;
  const backAfterMs = await cut(play);
  if (backAfterMs !== undefined) await scene.clock.sleep(scene.limits.quietMs, scene.over);
  // Byte-equal to what was answered just before the cut: an agent must not take it for that one sent again.
  const pending = send(play, { isRepeat: true, activity: "cut" });
  const recovery = await waitForAnswer(play, pending, backAfterMs, usualMs);
  return finish(play, "after_reply", backAfterMs, recovery);
}

/** How long the agent took to come back; undefined: it did not. */
async function cut({ scene, agentId }: SessionPlay): Promise<number | undefined> {
  const { clock, job, witness, limits, over } = scene;
  const { dials } = witness.look(agentId);
  witness.mark(agentId, "cut");
  witness.markCut(agentId, true);
  const cutAtMs = witness.nowMs();
  job.cutLink(agentId);
  const isBack = await waitUntil(clock, () => witness.look(agentId).dials > dials, {
    ...{ timeoutMs: limits.windowMs, signal: over },
  });
  return isBack ? witness.nowMs() - cutAtMs : undefined;
}

async function waitForAnswer(
  { scene, agentId }: SessionPlay,
  pending: Pending,
  backAfterMs: number | undefined,
  usualMs: number,
): Promise<{ exchange: Exchange; neededWarmUp: boolean }> {
  const { job, limits } = scene;
  if (backAfterMs === undefined) return { exchange: pending.conclude(), neededWarmUp: false };
  const patienceMs = Math.max(limits.resumeMs, PATIENCE * usualMs);
  const isThere = await pending.wait(patienceMs);
  if (!isThere) job.sendFrame(agentId, secondWarmUp);
  const neededWarmUp = !isThere && (await pending.wait(patienceMs));
  return { exchange: pending.conclude(), neededWarmUp };
}

function finish(
  play: SessionPlay,
  when: Cut["when"],
  backAfterMs: number | undefined,
  { exchange, neededWarmUp }: { exchange: Exchange; neededWarmUp: boolean },
): boolean {
  const { scene, agentId } = play;
  const wasAnswered = exchange.outcome === "answered";
  scene.cuts.push({ agentId, when, backAfterMs, neededWarmUp, wasAnswered });
  play.isAfterCut = true;
  return wasAnswered;
}

/** The middle of what this agent's answers took so far. */
function findUsualMs({ scene, agentId }: SessionPlay): number {
  const times = scene.exchanges
    .filter((exchange) => exchange.agentId === agentId && !exchange.isOpening)
    .flatMap(({ latencyMs }) => latencyMs ?? []);
  return times.length === 0 ? 0 : findPercentile(times, 50);
}
