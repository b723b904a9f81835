/** What W&B gives out: 40 hexadecimal digits, or the longer form with its version. */
const KEY = /(?<!\w)(?:[0-9a-f]{40}|wandb_v\d+_\w{20,})(?!\w)/.source;
const NAME = /(?:wandb|w&b)[ _-]?(?:api[ _-]?)?key/.source;
/** Any other value that stands by itself, so that a name, a call or a placeholder in code is not taken for one. */
const VALUE = /(?=[a-z_-]*\d)[\w-]{8,}/.source;

const KEY_LINE = new RegExp(`(?:${NAME}|wandb[ .]login)[^\\n]{0,80}?${KEY}`, "i");
const SETTING = new RegExp(
  `${NAME}["'\`*\\])]*\\s*(?::[^=\\n]{0,40}=|[:=|]{1,2})\\s*(?:(["'\`])${VALUE}\\1|${VALUE}(?=[\\s,;|]|$))`,
  "i",
);

/** Longer than what a key's line needs, so that none is missed between two pieces of a file. */
const OVERLAP_BYTES = 400;

/** Looks for a W&B API key in a file that comes piece by piece; true once one has been seen. */
export function makeKeyFinder(): (piece: Buffer) => boolean {
  let before = Buffer.alloc(0);
  let found = false;
  return (piece) => {
    if (found) return true;
    const text = before.length === 0 ? piece : Buffer.concat([before, piece]);
    found = isWandbNamed(text) && hasKey(text.toString("latin1"));
    before = Buffer.from(text.subarray(-OVERLAP_BYTES));
    return found;
  };
}

/** Most files do not name W&B at all, which is quickly seen. */
function isWandbNamed(text: Buffer): boolean {
  return ["andb", "ANDB", "&b", "&B"].some((part) => text.includes(part));
}

function hasKey(text: string): boolean {
  return KEY_LINE.test(text) || SETTING.test(text);
}
