import type { Outcome } from "../../process/runner.ts";
import type { SshRunner } from "../../process/ssh/ssh-runner.ts";
import type { Question } from "../target.ts";

/** What is needed of the way to a host. */
export type HostRunner = Pick<SshRunner, "host" | "run" | "explain" | "rsync">;

/** A host may be asked again so often where the connection was lost in mid-command. */
const TRIES = 3;

/** Puts a question to a host. @throws what keeps it from answering */
export async function askHost<Answer>(runner: HostRunner, question: Question<Answer>): Promise<Answer> {
  const outcome = await runHostScript(runner, question);
  const answer = question.read(outcome.stdout);
  if (answer !== null) return answer;
  throw runner.explain(outcome);
}

/**
 * Runs a script that does the same again when it is run again, so that it can be sent anew after the connection was
 * lost on its way. `isFirst`: nothing was sent before this outcome that may still be at work.
 */
export async function runAgainWhenLost(
  runner: HostRunner,
  question: Question<unknown>,
): Promise<{ outcome: Outcome; isFirst: boolean }> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await runHostScript(runner, question);
    const isLost = question.read(outcome.stdout) === null && runner.explain(outcome).code === "ssh_lost";
    if (!isLost || tries === TRIES) return { outcome, isFirst: tries === 1 };
  }
}

function runHostScript(runner: HostRunner, { script, timeoutMs }: Question<unknown>): Promise<Outcome> {
  return runner.run(["sh", "-s"], { stdin: script, timeoutMs });
}
