import {
  type Cut,
  type Evidence,
  type Exchange,
  type Probe,
  type ProbeKind,
  type ProcessStory,
  type Stage,
  stages,
  type TunnelStory,
} from "../../src/supervise/rehearse/evidence.ts";

const MIB = 1024 * 1024;

/** What a rehearsal sees of one agent that does everything right; a test changes one thing in it. */
export function makeGoodEvidence(more: Partial<Evidence> = {}): Evidence {
  const probes: ProbeKind[] = [
    "unknown_control",
    "junk_control",
    "second_queued",
    "empty_frame",
    "malformed_frame",
  ];
  return {
    terms: {
      ...{ agents: 1, board: "instruction", payload: "g2", budgetMs: 1000 },
      ...{ loadMs: 60_000, replyMs: 60_000, windowMs: 10_000, pongMs: 3000, drainMs: 10_000 },
    },
    processes: [makeProcess()],
    tunnels: [makeTunnel()],
    exchanges: [
      makeExchange({ isFirst: true, isOpening: true }),
      makeExchange(),
      makeExchange({ isRepeat: true }),
      makeExchange({ stage: "second", isOpening: true }),
      makeExchange({ stage: "second", wasCut: true }),
      makeExchange({ stage: "second", isAfterCut: true }),
      ...Array.from({ length: 20 }, () => makeExchange({ stage: "steady" })),
      makeExchange({ stage: "drain" }),
    ],
    sessions: stages.map((stage) => ({ agentId: "a", stage, isWhole: true })),
    probes: probes.map((kind) => makeProbe(kind)),
    cuts: [makeCut({ when: "in_handler" }), makeCut({ when: "after_reply" })],
    leftovers: [],
    ...more,
  };
}

export function makeProcess(more: Partial<ProcessStory> = {}): ProcessStory {
  const memory = Array.from({ length: 9 }, (_, index) => ({
    ...{ pid: 7, isRoot: false, bytes: 50 * MIB, answered: 4 * index },
  }));
  return {
    ...{ number: 1, exitCode: 0, signal: null, endedAtMs: 5000, wasStopped: false },
    ...{ logTail: ["state RUNNING"], showsToken: false, logsToken: false, memory },
    ...more,
  };
}

export function makeTunnel(more: Partial<TunnelStory> = {}): TunnelStory {
  return {
    ...{ agentId: "a", dialedAtMs: [400, 1500, 2000], refusals: [], warmedAtMs: 400, readyAtMs: 420 },
    closes: [
      { atMs: 1400, code: 1006, during: "cut" },
      { atMs: 1900, code: 1006, during: "cut" },
      { atMs: 4900, code: 1000, during: "drain" },
    ],
    drain: { atMs: 4800, wasInFlight: true },
    ...{ longestSilenceMs: 300, textReplies: 0, strayReplies: 0, surplusReplies: 0 },
    ...{ surplusAfterCut: 0, malformedFrames: 0, earlyReadies: 0 },
    ...more,
  };
}

export function makeExchange(more: Partial<Exchange> & { stage?: Stage } = {}): Exchange {
  return {
    ...{ agentId: "a", stage: "first", isFirst: false, isOpening: false, isRepeat: false },
    ...{ wasCut: false, isAfterCut: false, bytes: 700_000, sentAtMs: 1000, outcome: "answered" },
    ...{ latencyMs: 12, replyBytes: 7515, issues: [], echo: "same" },
    ...more,
  } as Exchange;
}

export function makeProbe(kind: ProbeKind, more: Partial<Probe> = {}): Probe {
  const answer = kind === "empty_frame" ? "empty" : "nothing";
  return { agentId: "a", kind, atMs: 1000, survived: true, answer, ...more };
}

export function makeCut(more: Partial<Cut> = {}): Cut {
  return {
    ...{ agentId: "a", when: "in_handler", backAfterMs: 300, neededWarmUp: false, wasAnswered: true },
    ...more,
  } as Cut;
}
