/**
 * The words that an install call gets for one phase. An entry is one argument, spaces and all (`numpy>=1.20;
 * python_version < "3.12"`), but options are words of their own: `--index-url URL`, `-r requirements.txt`, and those
 * that follow a requirement.
 */
export function splitPipArguments(phase: readonly string[]): string[] {
  return phase.flatMap((entry) => {
    const text = entry.trim();
    const start = text.startsWith("-") ? 0 : text.search(/\s--?[A-Za-z]/);
    if (start === -1) return [text];
    const requirement = text.slice(0, start).trim();
    return [...(requirement === "" ? [] : [requirement]), ...splitOptions(text.slice(start).trim())];
  });
}

/** `--config-settings "--a b"`: what stands in quotes is one word. */
function splitOptions(text: string): string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
