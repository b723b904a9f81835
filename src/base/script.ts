import { quoteShell } from "./quote.ts";

/**
 * Assignments for the head of a script. Their names begin with `sortie_`: a script that starts a person's command
 * hands on its environment, in which a name such as TOKEN may be the person's own.
 */
export function makeSettings(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${quoteShell(value)}\n`)
    .join("");
}

/** The `key=value` lines between `begin=TOKEN` and `end=TOKEN`; what a login shell printed around them is dropped. */
export function readAnswer(stdout: string, token: string): [key: string, value: string][] | null {
  const start = stdout.indexOf(`begin=${token}\n`);
  const end = stdout.indexOf(`end=${token}`, start + 1);
  if (start === -1 || end === -1) return null;
  return stdout
    .slice(start, end)
    .split("\n")
    .slice(1)
    .filter((line) => line.includes("="))
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1).trimEnd()]);
}
