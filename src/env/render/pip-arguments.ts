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

export interface PipOption {
  /** As in `--requirement`; short ones by their long name where Sortie looks for it. */
  readonly name: string;
  readonly value: string | null;
  readonly words: readonly string[];
}

/** What a phase installs, and the options that say how. */
export function parsePipPhase(phase: readonly string[]): { packages: string[]; options: PipOption[] } {
  const words = splitPipArguments(phase);
  const packages: string[] = [];
  const options: PipOption[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    if (!word.startsWith("-")) {
      packages.push(word);
      continue;
    }
    const option = parseOption(word, words[index + 1] ?? null);
    options.push(option);
    index += option.words.length - 1;
  }
  return { packages, options };
}

/** `--name VALUE`, `--name=VALUE`, `-n VALUE`, `-nVALUE`. */
function parseOption(word: string, next: string | null): PipOption {
  const [, name = word, attached = null] = /^(--[^=]+|-[A-Za-z])(?:=?(.+))?$/s.exec(word) ?? [];
  const long = LONG_NAMES[name] ?? name;
  if (attached !== null) return { name: long, value: attached, words: [word] };
  if (next === null || !WITH_VALUE.has(long)) return { name: long, value: null, words: [word] };
  return { name: long, value: next, words: [word, next] };
}

const LONG_NAMES: Readonly<Record<string, string>> = {
  "-r": "--requirement",
  "--requirements": "--requirement",
  "-c": "--constraint",
  "--constraints": "--constraint",
  "-e": "--editable",
  "-i": "--index-url",
  "-f": "--find-links",
  "-C": "--config-settings",
};

/** Options of pip and of uv whose value may be the next word. */
const WITH_VALUE = new Set(
  [
    "requirement constraint editable index-url extra-index-url find-links config-settings no-binary only-binary",
    "trusted-host platform python-version implementation abi upgrade-strategy progress-bar cache-dir proxy timeout",
    "retries cert client-cert log exists-action use-feature use-deprecated root-user-action report group src",
    "global-option keyring-provider build-constraint index default-index index-strategy prerelease resolution extra",
    "overrides torch-backend link-mode exclude-newer no-build-isolation-package upgrade-package reinstall-package",
  ].flatMap((line) => line.split(" ").map((name) => `--${name}`)),
);
