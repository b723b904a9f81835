import type { SmiAnswer } from "./find-fault.ts";

/** What one probe printed: the text of each part by its name. Names may repeat (`card`). */
export interface ReportParts {
  /** The last part has come: nothing was cut off. */
  readonly complete: boolean;
  /** The text of a part, without white space around it; undefined when it did not come, or not whole. */
  find(name: string): string | undefined;
  findAll(name: string): readonly string[];
}

/**
 * Reads the parts between the markers `@TOKEN begin NAME` and `@TOKEN end NAME`. What a login shell or a banner prints
 * around them is dropped. null when there is no part at all: the probe has not run.
 */
export function readParts(text: string, token: string): ReportParts | null {
  const parts: { name: string; text: string }[] = [];
  let open: { name: string; lines: string[] } | null = null;
  for (const line of text.split("\n").map((raw) => raw.replace(/\r$/, ""))) {
    if (line.startsWith(`@${token} begin `)) {
      open = { name: line.slice(`@${token} begin `.length), lines: [] };
    } else if (open && line === `@${token} end ${open.name}`) {
      parts.push({ name: open.name, text: open.lines.join("\n").trim() });
      open = null;
    } else {
      open?.lines.push(line);
    }
  }
  if (parts.length === 0) return null;
  return {
    complete: parts.some((part) => part.name === "end"),
    find: (name) => parts.find((part) => part.name === name)?.text,
    findAll: (name) => parts.filter((part) => part.name === name).map((part) => part.text),
  };
}

/** How nvidia-smi answered one of its two questions, `gpus` or `apps`. */
export function readAnswer(parts: ReportParts, question: "gpus" | "apps"): SmiAnswer {
  const output = parts.find(`${question}.out`);
  const words = [parts.find(`${question}.err`), output].filter(Boolean).join("\n");
  return { exit: output === undefined ? undefined : parts.find(`${question}.exit`), words };
}

/** The fields that the driver took. */
export function readFields(parts: ReportParts, question: "gpus" | "apps"): string[] {
  return (parts.find(`${question}.fields`) ?? "").split(",");
}
