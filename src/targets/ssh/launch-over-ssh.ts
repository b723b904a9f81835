import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { makePrintable } from "../../base/printable.ts";
import type { StartAnswer } from "../../runs/start-script.ts";
import { readSentCheck } from "../../sync/send/sent-check.ts";
import type { Job } from "../target.ts";
import { askHost, type HostRunner, runAgainWhenLost } from "./ask-host.ts";
import {
  makeLaunchScript,
  makePrepareScript,
  type Refusal,
  readLaunch,
  readPrepared,
} from "./launch-script.ts";

/** Time for the checking and the copying of much code. */
const LAUNCH_MS = 300_000;
const PREPARE_MS = 60_000;

/** Starts a run in one command. Where the connection is lost on the way it is sent again: a run starts once. @throws launch_failed, launch_refused, sync_damaged */
export async function launchOverSsh(runner: HostRunner, job: Job): Promise<StartAnswer> {
  const tokens = { launch: makeToken(), start: makeToken() };
  const question = {
    ...{ script: makeLaunchScript(job, tokens), timeoutMs: LAUNCH_MS },
    read: (stdout: string) => readLaunch(stdout, tokens),
  };
  const { outcome, isFirst } = await runAgainWhenLost(runner, question);
  const answer = question.read(outcome.stdout);
  if (answer !== null) {
    if (!("refused" in answer)) return answer;
    // One that was sent before, and lost, may start it yet.
    throw isFirst ? explainRefusal(job, answer, runner.host) : makeFailure(job, answer.words);
  }
  const words = outcome.stderr.trim();
  // It came to the start, and that did not come to its end.
  if (outcome.exitCode === 1 && outcome.stdout.includes(`end=${tokens.launch}`))
    throw makeFailure(job, words || "the supervisor did not put itself on record");
  throw runner.explain(outcome);
}

/** Puts the files of a run on its host that another process will launch. @throws launch_failed, launch_refused, sync_damaged */
export async function prepareOverSsh(runner: HostRunner, job: Job): Promise<void> {
  const token = makeToken();
  const answer = await askHost(runner, {
    ...{ script: makePrepareScript(job, token), timeoutMs: PREPARE_MS },
    read: (stdout) => readPrepared(stdout, token),
  });
  if (answer !== "done") throw explainRefusal(job, answer, runner.host);
}

function explainRefusal(job: Job, { refused, words, lines }: Refusal, host: string): SortieError {
  const { runId: run, jobFolder } = job.supervisor;
  if (refused === "unwritable")
    return new SortieError("launch_refused", { run, host, jobFolder, reason: makePrintable(words) });
  if (refused !== "code" || job.sent === null) return makeFailure(job, words);
  const { unchecked, faults, missing, different } = readSentCheck(lines);
  if (unchecked === "no_tool") {
    const advice = "Install it there: what was sent is checked by it.";
    return new SortieError("tool_missing", { tool: "sha256sum", host, advice });
  }
  const named = [
    ...missing.map((path) => `${path} is not there`),
    ...different.map((path) => `${path} differs`),
  ];
  const more = faults > named.length ? [`${faults - named.length} more`] : [];
  const reason =
    unchecked === null ? [...named, ...more].join(", ") : `it could not be checked (${unchecked})`;
  return new SortieError("sync_damaged", { host, folder: job.sent.codeDir, reason: makePrintable(reason) });
}

function makeFailure(job: Job, reason: string): SortieError {
  const { runId, jobFolder } = job.supervisor;
  return new SortieError("launch_failed", { run: runId, reason, jobFolder });
}
