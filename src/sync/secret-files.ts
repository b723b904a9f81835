import { closeSync, openSync, readSync } from "node:fs";

/** File names that hold secrets, whoever made them. Checked on the name in lower case. */
const SECRET_NAMES = [
  /^\.env(\..+)?$/,
  /\.env$/,
  /\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx|tfstate)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)[^.]*(\.(key|bak|old|orig|txt))?$/,
  /^credentials.*\.json$/,
  /^client_secret.*\.json$/,
  /^service[-_]?account.*\.json$/,
  /^secrets?\.(json|ya?ml|toml|ini|txt)$/,
  /^kaggle\.json$/,
  /^[._]netrc$/,
  /^\.(pgpass|pypirc|git-credentials|vault-token|dockercfg|htpasswd)$/,
];

/** Templates that people commit on purpose, to show which settings there are. */
const TEMPLATE_NAME = /(^|[._-])(example|sample|template|dist|defaults?)([._-]|$)/;

const TOKEN_IN_NPMRC = /_auth(token)?\s*=|_password\s*=/i;
const NPMRC_BYTES = 64 * 1024;

/** Whether a file's name says that it holds a secret; `.npmrc` does only with a token in it. */
export function isSecretFile(path: Buffer): boolean {
  const name = path
    .subarray(path.lastIndexOf("/") + 1)
    .toString()
    .toLowerCase();
  if (name === ".npmrc") return TOKEN_IN_NPMRC.test(readStart(path));
  return SECRET_NAMES.some((pattern) => pattern.test(name)) && !TEMPLATE_NAME.test(name);
}

function readStart(path: Buffer): string {
  const start = Buffer.alloc(NPMRC_BYTES);
  try {
    const file = openSync(path, "r");
    try {
      return start.toString("utf8", 0, readSync(file, start));
    } finally {
      closeSync(file);
    }
  } catch {
    return ""; // unreadable: it is left out for that reason
  }
}
