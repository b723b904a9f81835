export interface FailureWords {
  readonly said: string;
  readonly whose: "contestant" | "platform" | "unknown";
}

type Words = readonly [said: string, whose: FailureWords["whose"]];

const reasons = new Map<number, Words>([
  [0, ["no failure", "unknown"]],
  [1, ["the case ended with an error", "unknown"]],
  [2, ["the case could not be submitted", "unknown"]],
  [3, ["the case took too long", "unknown"]],
  [4, ["the case was killed by a signal", "unknown"]],
  [5, ["the simulator did not start in time", "platform"]],
  [6, ["the place that it was given was gone", "platform"]],
  [7, ["the platform's operators ended it", "platform"]],
  [8, ["another case of the same job had ended the job", "platform"]],
  [9, ["the tunnel to the agent was lost", "contestant"]],
]);

/** What `result.error` adds to a lost tunnel. */
const lossReasons: readonly [RegExp, Words][] = [
  [/startup reconcile/i, ["the gateway was started again", "platform"]],
  [/reconnect window expired/i, ["the agent was not back within the reconnect window", "contestant"]],
  [/liveness probe/i, ["the agent did not answer a probe", "contestant"]],
];

/** The `failure_reason` of a log in words, and whose doing it is. `error`: the platform's own note, or null. */
export function describeFailure(reason: number | null, error: string | null): FailureWords {
  if (reason === null) return { said: "no reason is given", whose: "unknown" };
  const known = reasons.get(reason);
  if (known === undefined) return { said: `a reason that is not known here (${reason})`, whose: "unknown" };
  const [said, whose] = known;
  const loss = reason === 9 ? lossReasons.find(([pattern]) => pattern.test(error ?? ""))?.[1] : undefined;
  return loss === undefined ? { said, whose } : { said: `${said}: ${loss[0]}`, whose: loss[1] };
}
