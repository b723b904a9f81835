import { isSecretName } from "./secret-name.ts";

/** Tokens that are known by their look, with whose they are. An underscore before or behind one ends a word, too. */
const LOOKS: readonly (readonly [whose: string, look: RegExp])[] = [
  ["a Hugging Face token", /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{20,}/],
  ["a GitHub token", /(?<![A-Za-z0-9])(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/],
  ["a GitLab token", /(?<![A-Za-z0-9])glpat-[\w-]{20,}/],
  ["an API key", /(?<![A-Za-z0-9])sk-[\w-]{20,}/],
  ["an AWS access key", /(?<![A-Za-z0-9])(AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/],
  ["a Slack token", /(?<![A-Za-z0-9])xox[abprs]-[\w-]{10,}/],
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY/],
  ["a signed web token", /(?<![A-Za-z0-9])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/],
  ["an address with a password in it", /[a-z0-9+.-]:\/\/[^\s/:@]*:(?![${<*])[^\s/@]+@/i],
];

const ASSIGNMENT = /\b([A-Za-z_][\w-]*)["']?(\s*[=:]\s*)["']?([^\s"',;]+)/g;
/** What stands for a value: `$NAME`, `<your key>`, `****`, `...`. */
const STAND_IN = /^([$<{*.]|x+$|your)|^(true|false|none|null|yes|no)$/i;

/** Behind the first `=` of `tiktoken==0.7.0`: what is pinned there is a version. */
const PIN = /^={1,2}\d+(\.(\d+|\*))+(\.?[a-z]{1,4}\d+)*(\+[\w.]{1,16})?$/;

/** What a text holds that looks like a secret, in words that never show it; null: nothing does. */
export function findSecretLook(text: string): string | null {
  const known = LOOKS.find(([, look]) => look.test(text));
  if (known) return known[0];
  for (const [, name = "", sign = "", value = ""] of text.matchAll(ASSIGNMENT)) {
    if (isSecretName(name) && !/tokeni[sz]|tokens/i.test(name) && isSecretValue(value, sign)) {
      return `a value of ${name}`;
    }
    // W&B's keys look like any hash: the name beside them tells.
    if (/wandb|key/i.test(name) && /^[0-9a-f]{40}$/i.test(value)) return `a value of ${name}`;
  }
  return null;
}

/** Behind a colon stand words of a sentence, too. */
function isSecretValue(value: string, sign: string): boolean {
  if (value.length < 6 || STAND_IN.test(value) || PIN.test(value)) return false;
  return sign.trim() === "=" || /\d/.test(value);
}
