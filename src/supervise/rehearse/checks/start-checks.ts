import { countOf } from "../../../base/count-of.ts";
import type { CheckRow, Verdict } from "../check-row.ts";
import type { Evidence, ProcessStory, TunnelStory } from "../evidence.ts";
import {
  fail,
  judgeAll,
  listFirstTunnels,
  listReadyTunnels,
  pass,
  quoteLog,
  quoteOwnError,
  showMs,
} from "./verdict.ts";

/** From the start of the process to the first case. */
export const startChecks: readonly CheckRow[] = [
  {
    name: "starts",
    level: "hard",
    group: "start",
    wants: "The agent starts, imports its handler and dials.",
    advice:
      "Start the agent by hand and read its log: what it needs is missing, or the handler cannot be imported.",
    judge: judgeStart,
  },
  {
    name: "accepted",
    level: "hard",
    group: "start",
    wants: "The gateway takes the dial: the job and the agent in the query, the token in the header.",
    advice: "Dial URL?job=JOB_UUID&agent=AGENT_ID with the header Authorization: Bearer JOB_TOKEN.",
    needs: ["starts"],
    judge: (evidence) =>
      judgeAll(listFirstTunnels(evidence), ({ dialedAtMs }) => dialedAtMs.length === 0, {
        bad: ({ refusals }) => `the dial was refused: ${refusals[0]?.why ?? "nobody knows why"}`,
      }),
  },
  {
    name: "token-hidden",
    level: "hard",
    group: "start",
    wants: "The token stands in no arguments that ps shows.",
    advice: "Hand the token on in the environment: everyone on the machine can read arguments.",
    needs: ["starts"],
    judge: ({ processes }) =>
      judgeAll(processes, ({ showsToken }) => showsToken, {
        bad: () => "the token stands in the arguments of a process",
      }),
  },
  {
    name: "token-not-logged",
    level: "hard",
    group: "start",
    wants: "The token stands in no log.",
    advice: "Print the token's source, never its value.",
    needs: ["starts"],
    judge: ({ processes }) =>
      judgeAll(processes, ({ logsToken }) => logsToken, {
        bad: () => "the token stands in the agent's output",
      }),
  },
  {
    name: "warmup-empty-frame",
    level: "hard",
    group: "start",
    wants: "The warm-up ends with ready: load(), or else handle() of the empty frame, raises nothing.",
    advice: 'Let handle("", b"") load the weights and return b"", or offer load().',
    needs: ["accepted"],
    judge: (evidence) =>
      judgeAll(listWarmed(evidence), failedInWarmUp, {
        good: (tunnels) => `ready ${showMs(Math.max(...tunnels.map(findWarmUpMs)))} after warmup`,
        bad: () => `the agent went away without ready${quoteLog(evidence)}`,
      }),
  },
  {
    name: "ready-in-time",
    level: "hard",
    group: "start",
    wants: "Ready is sent in time.",
    advice: "Look at what the warm-up waits for; where weights take that long to load, raise --load-timeout.",
    needs: ["warmup-empty-frame"],
    judge: (evidence) =>
      judgeAll(listWarmed(evidence), ({ readyAtMs }) => readyAtMs === undefined, {
        good: (tunnels) =>
          `${showMs(Math.max(...tunnels.map(({ readyAtMs }) => readyAtMs ?? 0)))} after its start`,
        bad: () => `no ready within ${showMs(evidence.terms.loadMs)} of the start${quoteLog(evidence)}`,
      }),
  },
  {
    name: "ready-after-warmup",
    level: "soft",
    group: "start",
    wants: "ready comes after warmup, and not before.",
    advice: "Wait for warmup: an earlier ready is ignored, and the weights may not be loaded.",
    needs: ["accepted"],
    judge: (evidence) =>
      judgeAll(listWarmed(evidence), ({ earlyReadies }) => earlyReadies > 0, {
        bad: () => "a message that is ignored came before the warm-up",
      }),
  },
  {
    name: "agents-at-once",
    level: "hard",
    group: "start",
    wants: "All agents are connected at one time, each under an id of its own.",
    advice: "Give every agent a new agent id (a UUID), and a GPU of its own.",
    needs: ["ready-in-time"],
    judge: judgeTogether,
  },
];

function judgeStart(evidence: Evidence): Verdict | undefined {
  const { processes, terms } = evidence;
  if (processes.length === 0) return undefined;
  const refused = processes.find(({ notStarted }) => notStarted !== undefined);
  if (refused !== undefined) return fail(`it could not be started: ${refused.notStarted}`);
  // Agents that share an id are one pair to the gateway: it refuses all but the first of them as duplicates.
  const isShared = evidence.tunnels.some(({ refusals }) => refusals.some(({ why }) => why === "duplicate"));
  const missing = isShared ? 0 : terms.agents - evidence.tunnels.length;
  if (missing <= 0) {
    const first = evidence.tunnels.flatMap(({ dialedAtMs, refusals }) => [
      ...dialedAtMs,
      ...refusals.map(({ atMs }) => atMs),
    ]);
    return pass(`dialled ${showMs(Math.min(...first))} after its start`);
  }
  const ended = processes.filter(({ wasStopped, endedAtMs }) => !wasStopped && endedAtMs !== undefined);
  const which = terms.agents === 1 ? "the agent" : `${missing} of ${terms.agents} agents`;
  const how = ended[0]
    ? `ended with ${showEnd(ended[0])} before a dial`
    : `did not dial within ${showMs(terms.loadMs)}`;
  const own = ended[0] && quoteOwnError(ended[0]);
  return { ...fail(`${which} ${how}${own ?? quoteLog(evidence)}`), isExplained: own !== undefined };
}

/** `exit code 1`, `signal SIGKILL`. */
export function showEnd({ exitCode, signal }: ProcessStory): string {
  return exitCode === null ? `signal ${signal}` : `exit code ${exitCode}`;
}

function listWarmed(evidence: Evidence): TunnelStory[] {
  return listFirstTunnels(evidence).filter(({ warmedAtMs }) => warmedAtMs !== undefined);
}

function failedInWarmUp({ readyAtMs, closes }: TunnelStory): boolean {
  return readyAtMs === undefined && closes.some(({ during }) => during === "warm_up");
}

function findWarmUpMs({ warmedAtMs = 0, readyAtMs = warmedAtMs }: TunnelStory): number {
  return readyAtMs - warmedAtMs;
}

function judgeTogether(evidence: Evidence): Verdict | undefined {
  const { agents } = evidence.terms;
  const ready = listReadyTunnels(evidence).length;
  if (ready === 0) return undefined;
  return ready >= agents ? pass(countOf(agents, "agent")) : fail(`${ready} of ${agents} agents were ready`);
}
