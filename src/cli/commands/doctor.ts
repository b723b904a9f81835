import { quoteInput } from "../../base/quote-input.ts";
import { examineContest } from "../../supervise/contest-doctor/examine-contest.ts";
import { examine } from "../../supervise/doctor.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";
import { listenForEnd } from "../listen-for-end.ts";
import { formatFindings } from "../views/format-findings.ts";

interface Options {
  /** true: the current job. */
  readonly job?: string | true;
}

export const command = defineCommand<Options>({
  describe: (c) =>
    c.option(
      "--job [JOB]",
      "examine a challenge job instead: login, job, endpoint and agents (default: the current)",
    ),
  run: ({ io, options: { job } }) => (job === undefined ? examineMachine(io) : examineJob(io, job)),
});

async function examineMachine(io: Io): Promise<number> {
  const findings = await examine({ env: io.env, self: io.self, cwd: findFolder(io) });
  const isBad = findings.some(({ level }) => level === "bad");
  if (io.json) io.printDocument({ ok: !isBad, findings });
  else for (const line of formatFindings(findings, io.columns)) io.say(line);
  return isBad ? 5 : 0;
}

/** null: it was removed, and nothing else is less worth examining for that. */
function findFolder(io: Io): string | null {
  try {
    return io.cwd;
  } catch {
    return null; // said so by whatever needs it
  }
}

async function examineJob(io: Io, job: string | true): Promise<number> {
  const ending = listenForEnd(io);
  const wanted = job === true ? undefined : job;
  const found = await examineContest({ env: io.env, self: io.self, wanted, signal: ending.signal });
  const exitCode = ending.exitCode();
  if (exitCode !== null) return exitCode;
  // As the findings about the machine, and what shows each of them beside it.
  const findings = found.findings.map(({ cause, next, ...rest }) => ({
    ...rest,
    detail: cause,
    advice: next,
  }));
  const isBad = findings.some(({ level }) => level === "bad");
  if (io.json) io.printDocument({ ok: !isBad, job: found.job, findings });
  else {
    if (found.job !== null) io.say(`job ${found.job.id} ${quoteInput(found.job.name)} (${found.job.uuid})`);
    for (const line of formatFindings(findings, io.columns)) io.say(line);
  }
  return isBad ? 5 : 0;
}
