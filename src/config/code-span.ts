/** A code span of Markdown: its content as it is shown, and where it ends in the text. */
export interface CodeSpan {
  readonly content: string;
  readonly end: number;
}

/** The code span that opens at a backtick; undefined where no run of as many backticks closes it. */
export function findCodeSpan(text: string, at: number): CodeSpan | undefined {
  const runs = /`+/g;
  runs.lastIndex = at;
  const opener = runs.exec(text);
  if (opener?.index !== at) return undefined;
  const start = at + opener[0].length;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    if (run[0].length !== opener[0].length) continue;
    return { content: cleanContent(text.slice(start, run.index)), end: run.index + run[0].length };
  }
  return undefined;
}

/** Newlines are spaces, and one space on both sides is padding. */
function cleanContent(content: string): string {
  const line = content.replaceAll("\n", " ");
  return /^ .* $/.test(line) && line.trim() !== "" ? line.slice(1, -1) : line;
}
