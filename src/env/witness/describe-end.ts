import type { InsideOutcome } from "./run-inside.ts";

/** Why a job inside an environment did not end well, in one line; null: it ended with 0. */
export function describeEnd({ state, stage, exitCode, stderr, stdout }: InsideOutcome): string | null {
  const said = findLastLine(stderr) ?? findLastLine(stdout);
  const added = said === null ? "" : `: ${said}`;
  if (state === "taken") return said ?? "another run holds the GPU";
  if (state === "timed_out") return `it did not end in time${added}`;
  if (state === "too_long") return "it printed more than 64 MB";
  if (exitCode === 0 && stage === "run") return null;
  const end = exitCode > 128 ? `signal ${exitCode - 128} ended it` : `it ended with code ${exitCode}`;
  switch (stage) {
    case "lease":
      return `the GPU could not be reserved${added}`;
    case "folder":
      return `its folder could not be entered${added}`;
    case "enter":
      return `the environment could not be entered${added}`;
    case "run":
      return `${end}${added}`;
  }
}

function findLastLine(text: string): string | null {
  return text.trimEnd().split("\n").at(-1)?.trim() || null;
}
