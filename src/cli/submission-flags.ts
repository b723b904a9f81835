import type { Command } from "commander";
import type { SubmissionWish } from "../supervise/contest/draft-submission.ts";

export interface SubmissionOptions {
  board: string;
  modelName: string;
  name?: string;
  description?: string;
  paperLink?: string;
}

/** The flags of every command that submits a job. */
export function describeSubmission(command: Command): Command {
  return command
    .requiredOption("--board <board>", "instruction, spatial, manip or robust")
    .requiredOption("--model-name <model>", "as it stands on the leaderboard")
    .option("--name <name>", "of the job (default: made of model, board and time)")
    .option("--description <text>", "what is special about it")
    .option("--paper-link <url>", "http:// or https://, at most 512 characters");
}

export function readSubmission(options: SubmissionOptions): SubmissionWish {
  const { board, modelName, name, description, paperLink } = options;
  return { board, modelName, name, description, paperLink };
}
