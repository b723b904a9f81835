/** One line of what `sortie doctor` saw. */
export interface Finding {
  readonly what: string;
  /** `bad` keeps Sortie from working, `warning` takes something away. */
  readonly level: "ok" | "warning" | "bad";
  readonly detail: string;
  readonly advice: string | null;
}

export function makeFinding(
  what: string,
  level: Finding["level"],
  detail: string,
  advice: string | null = null,
): Finding {
  return { what, level, detail, advice };
}
