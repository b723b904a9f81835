import type { CaseResult, Policy } from "../../gateway/simulator.ts";
import { ask, isAnswered, type SessionPlay, send } from "./ask.ts";
import { cutAfterReply, cutInHandler } from "./cut-link.ts";
import { type ProbeKind, type Stage, stages } from "./evidence.ts";
import { tryFrames } from "./probe.ts";
import { findLongestMs } from "./rehearse-options.ts";
import type { Scene } from "./scene.ts";
import { waitUntil } from "./wait-until.ts";

const probeOrder: readonly ProbeKind[] = [
  "unknown_control",
  "junk_control",
  "second_queued",
  "empty_frame",
  "malformed_frame",
];

const FIRST_OBSERVATIONS = 3;
const SECOND_OBSERVATIONS = 2;
/** The others count as done when nothing is heard of them for so long. */
const ALONE_MS = 300;

/** Plays the next session of an agent, whichever the gateway gave the case to. Rejects never. */
export async function playSession(scene: Scene, policy: Policy): Promise<CaseResult> {
  const { witness, begun, sessions, playing, givenUp, exchanges } = scene;
  const agentId = witness.findAgent(policy.sessionId) ?? "";
  const episode = begun.get(agentId) ?? 0;
  const stage = stages[episode];
  begun.set(agentId, episode + 1);
  if (stage === undefined || givenUp.has(agentId)) return waitForEnd(scene);
  playing.add(policy.sessionId);
  const before = exchanges.length;
  try {
    const play = { scene, policy, agentId, stage, episode, step: 0, isAfterCut: false };
    sessions.push({ agentId, stage, isWhole: await scripts[stage](play) });
  } finally {
    playing.delete(policy.sessionId);
  }
  return { score: 1, steps: exchanges.length - before };
}

/** Nothing more is tried with this agent, and the job does not end by it. */
async function waitForEnd({ over }: Scene): Promise<CaseResult> {
  if (!over.aborted) await new Promise((resolve) => over.addEventListener("abort", resolve, { once: true }));
  return { score: 0, steps: 0 };
}

/** Plays a session; whether it came to its end, with everything answered. */
type Script = (play: SessionPlay) => Promise<boolean>;

const scripts: Readonly<Record<Stage, Script>> = {
  first: playFirst,
  second: playSecond,
  steady: playSteady,
  drain: playDrain,
};

/** Ordinary observations, one twice, and between them what an agent must not mind. */
async function playFirst(play: SessionPlay): Promise<boolean> {
  play.scene.say("first session: observations, and frames that change nothing");
  if (!(await askSome(play, FIRST_OBSERVATIONS))) return false;
  if (!(await isAnswered(play, { isRepeat: true }))) return false;
  for (const kind of probeOrder) if (!(await tryFrames(play, kind))) return false;
  await listen(play);
  return true;
}

/** Another session and episode, and two cuts. */
async function playSecond(play: SessionPlay): Promise<boolean> {
  play.scene.say("second session: the link is cut twice");
  if (!(await askSome(play, SECOND_OBSERVATIONS))) return false;
  if (!(await cutInHandler(play))) return false;
  if (!(await isAnswered(play))) return false;
  if (!(await cutAfterReply(play))) return false;
  const isWhole = await isAnswered(play);
  await listen(play);
  return isWhole;
}

/** Nothing but observations, as fast as they are answered. */
async function playSteady(play: SessionPlay): Promise<boolean> {
  const { scene } = play;
  const { clock } = scene;
  const { steadyMs, steadyLeast, steadyMost } = scene.limits;
  scene.say("third session: as fast as it goes");
  const endsAtMs = clock.monotonicMs() + steadyMs;
  let isWhole = true;
  for (let asked = 0; isWhole && asked < steadyMost; asked += 1) {
    if (asked >= steadyLeast && clock.monotonicMs() >= endsAtMs) break;
    isWhole = await askPlain(play);
    if (isWhole) scene.steadyAnswers = (scene.steadyAnswers ?? 0) + 1;
  }
  await listen(play);
  return isWhole;
}

/** Waits for the other agents; then the job is drained while each has an observation. */
async function playDrain(play: SessionPlay): Promise<boolean> {
  const { scene, policy, agentId } = play;
  const { waiting, limits } = scene;
  waiting.add(policy.sessionId);
  if (!(await waitForOthers(scene))) return false;
  const pending = send(play, { activity: "drain" });
  scene.lastSent += 1;
  if (scene.lastSent === waiting.size) {
    scene.say("drain, with an observation in flight");
    scene.steadyAnswers = undefined;
    scene.job.drain();
  }
  await pending.wait(limits.drainMs);
  const { outcome } = pending.conclude();
  if (outcome === "late") scene.givenUp.add(agentId);
  return outcome === "answered";
}

async function askSome(play: SessionPlay, count: number): Promise<boolean> {
  for (let asked = 0; asked < count; asked += 1) if (!(await askPlain(play))) return false;
  return true;
}

/** An agent that leaves an ordinary observation unanswered is given up: its handler hangs, or it is no agent. */
async function askPlain(play: SessionPlay): Promise<boolean> {
  const { outcome } = await ask(play);
  if (outcome === "late") play.scene.givenUp.add(play.agentId);
  return outcome === "answered";
}

/** For answers that nobody asked for, before the session ends. */
async function listen({ scene }: SessionPlay) {
  await scene.clock.sleep(scene.limits.quietMs, scene.over);
}

/** Until every session that is played waits here, and no more agents come; all go on in one tick. False: it is over. */
async function waitForOthers(scene: Scene): Promise<boolean> {
  const { clock, playing, waiting, release, over } = scene;
  const isAlone = () => playing.size === waiting.size && scene.coming() === 0;
  let sinceMs = clock.monotonicMs();
  const isSettled = () => {
    const nowMs = clock.monotonicMs();
    if (!isAlone()) sinceMs = nowMs;
    return isAlone() && (scene.terms.agents === 1 || nowMs - sinceMs >= ALONE_MS);
  };
  const signal = AbortSignal.any([release.signal, over]);
  if (await waitUntil(clock, isSettled, { timeoutMs: findLongestMs(scene.limits), signal })) release.abort();
  return release.signal.aborted && !over.aborted;
}
