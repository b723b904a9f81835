import type { Policy } from "../../gateway/simulator.ts";
import { checkReply } from "../../payload/check-action.ts";
import { readNumber } from "../../payload/observation.ts";
import { isMap, unpack } from "../../payload/unpack.ts";
import type { Activity, Exchange, Stage } from "./evidence.ts";
import type { DrawnShot } from "./make-studio.ts";
import type { Scene } from "./scene.ts";

/** One session of one agent while it is played. */
export interface SessionPlay {
  readonly scene: Scene;
  readonly policy: Policy;
  readonly agentId: string;
  readonly stage: Stage;
  /** Counted from 0 over the agent's sessions. */
  readonly episode: number;
  step: number;
  isAfterCut: boolean;
  last?: { readonly shot: DrawnShot; readonly number: number };
}

export interface Wish {
  /** The observation before once more, byte for byte. */
  readonly isRepeat?: boolean;
  /** The link will be cut while it is on its way. */
  readonly isCut?: boolean;
  /** Default: `observation`. */
  readonly activity?: Activity;
}

/** An observation on its way. */
export interface Pending {
  /** Whether there is an end, an answer or not, within this time. */
  readonly wait: (ms: number) => Promise<boolean>;
  /** Puts down what came of it; without an end it is late. */
  readonly conclude: () => Exchange;
}

interface End {
  readonly atMs: number;
  /** Undefined where the session ended first. */
  readonly reply?: Uint8Array;
}

/** Sends an observation and waits for its answer, as long as is waited at most. */
export async function ask(play: SessionPlay, wish: Wish = {}): Promise<Exchange> {
  const pending = send(play, wish);
  await pending.wait(play.scene.limits.replyMs);
  return pending.conclude();
}

/** Whether an observation is answered: for stages that cannot go on without. */
export async function isAnswered(play: SessionPlay, wish: Wish = {}): Promise<boolean> {
  return (await ask(play, wish)).outcome === "answered";
}

/** Sends an observation. */
export function send(play: SessionPlay, wish: Wish = {}): Pending {
  const { scene, policy, agentId } = play;
  const { witness } = scene;
  const { shot, number } = draw(play, wish);
  witness.mark(agentId, wish.activity ?? "observation");
  const sentAtMs = witness.nowMs();
  let end: End | undefined;
  const settled = policy.infer(shot.bytes).then(
    (reply) => {
      end = { atMs: witness.nowMs(), reply };
    },
    () => {
      end = { atMs: witness.nowMs() };
    },
  );
  const isFirst = !scene.exchanges.some((exchange) => exchange.agentId === agentId);
  const facts = {
    ...{ agentId, stage: play.stage, isFirst, isOpening: play.step === 1 && !wish.isRepeat },
    ...{ isRepeat: wish.isRepeat ?? false, wasCut: wish.isCut ?? false, isAfterCut: play.isAfterCut },
    ...{ bytes: shot.bytes.length, sentAtMs },
  };
  return {
    wait: async (ms) => {
      const done = new AbortController();
      const stop = () => done.abort();
      scene.over.addEventListener("abort", stop, { once: true });
      await Promise.race([settled, scene.clock.sleep(scene.over.aborted ? 0 : ms, done.signal)]);
      done.abort();
      scene.over.removeEventListener("abort", stop);
      return end !== undefined;
    },
    conclude: () => {
      const exchange: Exchange = { ...facts, ...describeOutcome(scene, end, sentAtMs, shot, number) };
      scene.exchanges.push(exchange);
      if (wish.activity !== "drain") witness.mark(agentId, "idle");
      return exchange;
    },
  };
}

function draw(play: SessionPlay, { isRepeat }: Wish): { shot: DrawnShot; number: number } {
  if (isRepeat && play.last !== undefined) return play.last;
  const { scene, episode, step } = play;
  scene.lastNumber += 1;
  const number = scene.lastNumber;
  play.step += 1;
  play.last = { number, shot: scene.studio.draw({ episode, step, number }) };
  return play.last;
}

function describeOutcome(
  { terms, over }: Scene,
  end: End | undefined,
  sentAtMs: number,
  { state }: DrawnShot,
  number: number,
): Pick<Exchange, "outcome" | "latencyMs" | "replyBytes" | "issues" | "echo"> {
  if (end === undefined) return { outcome: over.aborted ? "lost" : "late", issues: [] };
  if (end.reply === undefined) return { outcome: "lost", issues: [] };
  const { reply } = end;
  return {
    outcome: "answered",
    latencyMs: end.atMs - sentAtMs,
    replyBytes: reply.length,
    issues: checkReply(terms.payload, reply, { state, board: terms.board }),
    echo: readEcho(reply, number),
  };
}

function readEcho(reply: Uint8Array, number: number): Exchange["echo"] {
  const unpacked = unpack(reply);
  const value = unpacked.fault === undefined ? unpacked.value : undefined;
  const result = isMap(value) ? value["result"] : undefined;
  const sent = readNumber(
    (isMap(result) ? result["policy_rng"] : undefined) ?? (isMap(value) ? value["policy_rng"] : undefined),
  );
  if (sent === undefined) return "none";
  return sent === number ? "same" : "other";
}
