import { makeErrorDocument, type SortieError } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import { wrapText } from "../base/wrap.ts";

/**
 * Two lines for people, what is wrong and what to do; with `json` also the document, in a stream of lines as one of them.
 * Gives the exit code.
 */
export function reportFault(
  error: SortieError,
  thrown: unknown,
  { json, isStream = false }: { readonly json: boolean; readonly isStream?: boolean },
): number {
  const document = { schema: 1, error: makeErrorDocument(error) };
  if (json) process.stdout.write(`${JSON.stringify(document, null, isStream ? 0 : 2)}\n`);
  for (const line of [`error: ${error.message}`, error.hint].filter((text) => text !== ""))
    process.stderr.write(`${wrapForPeople(makePrintable(line))}\n`);
  if (process.env["SORTIE_DEBUG"]) process.stderr.write(`${(thrown as Error)?.stack ?? String(thrown)}\n`);
  return error.exit;
}

/** Only for a terminal: elsewhere two lines stay two. */
function wrapForPeople(text: string): string {
  const { isTTY, columns } = process.stderr;
  return isTTY
    ? text
        .split("\n")
        .flatMap((line) => wrapText(line, columns || 80))
        .join("\n")
    : text;
}
