type Environment = Readonly<Record<string, string | undefined>>;

/** What tells a process which run it belongs to, and in which screen. */
const MARKS: readonly string[] = [
  "SORTIE_RUN_ID",
  "SORTIE_RUN_NAME",
  "SORTIE_RUN_DIR",
  "SORTIE_RESULTS_DIR",
  "SORTIE_ATTEMPT",
  "SORTIE_AGENT_ID",
  "SORTIE_RUN_GPUS",
  "STY",
  "WINDOW",
];

/** An environment without the marks of the run or screen that a command was called from. */
export function withoutMarks(env: Environment): Record<string, string> {
  const own = Object.entries(env).filter(([name, value]) => value !== undefined && !MARKS.includes(name));
  return Object.fromEntries(own) as Record<string, string>;
}
