/** A name of a parameter as programs take it: `lr`, `model.hidden-size`. */
const NAME = /^[A-Za-z_][\w.-]*$/;
const SEED = /(?:^|[._-])seed$/i;

/**
 * The parameters in a command: `--lr 0.1`, `--lr=0.1`, Hydra's `lr=0.1` and `+lr=0.1`, and flags (`true`). The last of a name holds.
 * Other words are `argument 1` and so on, so that nothing in which two commands differ is lost.
 */
export function readParameters(command: readonly string[]): Map<string, string> {
  const parameters = new Map<string, string>();
  let others = 0;
  for (let at = 0; at < command.length; at += 1) {
    const word = command[at] as string;
    const next = command[at + 1];
    const [, dashes = "", name = "", value] = /^(--?|\+*)([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const isOption = dashes.startsWith("-") && NAME.test(name);
    if (value !== undefined && NAME.test(name)) parameters.set(name, value);
    else if (isOption && next !== undefined && isValue(next)) {
      parameters.set(name, next);
      at += 1;
    } else if (isOption) parameters.set(name, "true");
    else {
      parameters.set(`argument ${others}`, word);
      others += 1;
    }
  }
  return parameters;
}

export function isSeed(name: string): boolean {
  return SEED.test(name);
}

/** What follows an option and is no option: words, and negative numbers. */
function isValue(word: string): boolean {
  return !word.startsWith("-") || /^-\.?\d/.test(word);
}
