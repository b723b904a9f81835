import type { CaseResult, Policy } from "../../src/gateway.ts";
import type { AgentOptions } from "../../src/tunnel/agent-options.ts";
import { makePlainHandler } from "./agents.ts";
import type { LinkProxy } from "./link-proxy.ts";
import type { CutKind } from "./proxy-link.ts";
import { waitFor } from "./wait-for.ts";

/** Where a cut falls in the life of an observation. */
export const cutMoments = [
  "observation in flight",
  "in handler",
  "reply in flight",
  "reply delivered",
  "idle",
  "behind the next handshake",
] as const;

export type CutMoment = (typeof cutMoments)[number];

/** Numbers in the first four bytes; the rest is padding. */
const OBSERVATION_BYTES = 20_000;
const REPLY_BYTES = 4_000;
/** How long the handler holds an observation at most after a cut in it: the link may be back before, or not. */
const MOST_HELD_MS = 15;
/** How long nothing is asked after a cut of an idle link: it may be back before. */
const MOST_PAUSE_MS = 30;
/** How long a link stands at most of which only the handshake comes through: a reply gets over it, or not. */
const MOST_BEHIND_MS = 20;
/** How often the link that comes back is cut too, and within how many bytes. */
const CUT_AGAIN = 0.25;
const COMING_BACK_BYTES = 700;

/** One agent's way through its cuts: a handler and a simulator that cut its network at the moment that is next. */
export interface CutPlayer {
  readonly handler: AgentOptions["handler"];
  /** Every number that the handler got, in order. */
  readonly handled: readonly number[];
  readonly cuts: Record<CutMoment, number>;
  /** Cuts of the link that came back after a cut. */
  readonly cutsAgain: number;
  /** Asks once for each moment, with a cut there. */
  play(policy: Policy, moments: CutMoment[], options: PlayOptions): Promise<CaseResult>;
}

export interface PlayOptions {
  /** At a wrong answer: its number, and the one that was asked for. */
  readonly onWrong: (got: number, asked: number) => void;
  /** After it an observation without an answer is stuck; absent: it is waited for. */
  readonly patienceMs?: number;
  readonly onStuck?: (wasHandled: boolean) => void;
  /** Waits until the agent knows that its last reply arrived. */
  readonly untilProven: () => Promise<unknown>;
}

export function makeCutPlayer(proxy: LinkProxy, random: () => number): CutPlayer {
  const cuts = Object.fromEntries(cutMoments.map((moment) => [moment, 0])) as Record<CutMoment, number>;
  const handled: number[] = [];
  let moment: CutMoment | undefined;
  let asked = 0;
  let cutsAgain = 0;
  const pickKind = (): CutKind => (random() < 0.7 ? "reset" : "fin");
  const pickBytes = (most: number) => 1 + Math.floor(random() * most);
  const cut = (at: CutMoment) => {
    cuts[at] += 1;
    proxy.cut(pickKind());
    if (random() > CUT_AGAIN) return;
    // The next link breaks off too: in its handshake, its resume, or what is sent again.
    cutsAgain += 1;
    proxy.cutAfter(random() < 0.5 ? "up" : "down", pickBytes(COMING_BACK_BYTES), pickKind());
  };
  const cutWithin = (at: CutMoment, direction: "up" | "down", bytes: number) => {
    cuts[at] += 1;
    proxy.cutAfter(direction, pickBytes(bytes), pickKind());
  };

  const handler = makePlainHandler({
    handle: async (_, payload) => {
      handled.push(readNumber(payload));
      if (moment === "in handler") {
        cut(moment);
        await new Promise((resolve) => setTimeout(resolve, random() * MOST_HELD_MS));
      }
      if (moment === "behind the next handshake") {
        cuts[moment] += 1;
        await cutTwice(proxy, 1 + random() * MOST_BEHIND_MS, pickKind());
      }
      if (moment === "reply in flight") cutWithin(moment, "up", REPLY_BYTES);
      moment = undefined;
      return makeNumbered(readNumber(payload), REPLY_BYTES);
    },
  });

  return {
    handler,
    handled,
    cuts,
    get cutsAgain() {
      return cutsAgain;
    },
    play: async (policy, moments, { onWrong, patienceMs, onStuck, untilProven }) => {
      let steps = 0;
      for (let next = moments.pop(); next !== undefined; next = moments.pop()) {
        asked += 1;
        steps += 1;
        moment = next;
        if (next === "observation in flight") cutWithin(next, "down", OBSERVATION_BYTES);
        const answer = policy.infer(makeNumbered(asked, OBSERVATION_BYTES));
        const reply = await (patienceMs === undefined ? answer : waitAtMost(answer, patienceMs));
        if (reply === undefined) {
          onStuck?.(handled.at(-1) === asked);
          return { score: 0, steps };
        }
        const got = readNumber(reply);
        if (got !== asked) {
          onWrong(got, asked);
          return { score: 0, steps };
        }
        if (next === "reply delivered") cut(next);
        if (next === "idle") {
          await untilProven();
          cut(next);
          await new Promise((resolve) => setTimeout(resolve, random() * MOST_PAUSE_MS));
        }
      }
      return { score: 1, steps };
    },
  };
}

/** Cuts the link, and the next one right behind its handshake. Resolves while there is none: a reply made then is kept for it. */
async function cutTwice(proxy: LinkProxy, behindMs: number, kind: CutKind) {
  proxy.cutBehindHandshake(behindMs, kind);
  proxy.onDial("reset");
  const before = proxy.dialed;
  proxy.cut(kind);
  await waitFor(() => proxy.dialed > before, { intervalMs: 1 });
  // The reply is made first: whoever dials comes back later than this.
  setTimeout(() => proxy.onDial("pass"));
}

function makeNumbered(number: number, bytes: number): Buffer {
  const payload = Buffer.alloc(bytes, "padding ");
  payload.writeUInt32BE(number);
  return payload;
}

function readNumber(payload: Uint8Array): number {
  return Buffer.from(payload).readUInt32BE();
}

async function waitAtMost<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer | undefined> {
  let got: { answer: Answer } | undefined;
  answer.then(
    (came) => {
      got = { answer: came };
    },
    () => undefined, // the session ended meanwhile
  );
  await waitFor(() => got, { timeoutMs: ms, intervalMs: 2 }).catch(() => undefined); // stuck: told by undefined
  return got?.answer;
}
