import { formatDuration } from "../../base/duration.ts";
import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { makeStopScript, parseStopAnswer } from "../../runs/stop-script.ts";
import type { JobHandle } from "../target.ts";
import { type HostRunner, runAgainWhenLost } from "./ask-host.ts";
import { makeHostScript } from "./host-script.ts";

const MARGIN_MS = 30_000;

/** Stops a run; where the connection is lost meanwhile it is asked again, which does no harm. @throws stop_unfinished */
export async function stopOverSsh(
  runner: HostRunner,
  { id, jobFolder, attempt }: JobHandle,
  { graceS, by }: { graceS: number; by: string },
): Promise<{ survivors: number[] }> {
  const token = makeToken();
  const timeoutMs = graceS * 1000 + MARGIN_MS;
  const { outcome } = await runAgainWhenLost(runner, {
    script: makeHostScript([makeStopScript({ runId: id, jobFolder, attempt, graceS, by, token })]),
    timeoutMs,
    read: (stdout) => parseStopAnswer(stdout, token),
  });
  const answer = parseStopAnswer(outcome.stdout, token);
  if (answer) return answer;
  const hasBegun = outcome.stdout.includes(`begin=${token}`);
  if (!hasBegun || outcome.exitCode === 255) throw runner.explain(outcome);
  const late = `it was not done after ${formatDuration(timeoutMs / 1000)}`;
  const reason = outcome.timedOut ? late : outcome.stderr.trim() || "its script did not come to its end";
  throw new SortieError("stop_unfinished", { run: id, reason });
}
