import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseGitPath } from "./git-path.ts";
import { parseStatus } from "./git-status.ts";
import { isSecretFile } from "./secret-files.ts";

const ZERO = "0".repeat(40);
const BLOB = "a".repeat(40);

describe("parseStatus", () => {
  it.each([
    [
      `1 .M N... 100644 100644 100644 ${BLOB} ${BLOB} a b.py`,
      { tracked: true, staged: false, indexBlob: BLOB },
    ],
    [`1 A. N... 000000 100644 100644 ${ZERO} ${BLOB} a`, { tracked: true, staged: true, gone: false }],
    [`1 D. N... 100644 000000 000000 ${BLOB} ${ZERO} a`, { tracked: false, staged: true, gone: true }],
    [`1 .D N... 100644 100644 000000 ${BLOB} ${BLOB} a`, { tracked: true, staged: false, gone: true }],
    [`1 .A N... 000000 000000 100644 ${ZERO} ${ZERO} a`, { tracked: false, indexBlob: null }],
    [`1 .M S.M. 160000 160000 160000 ${BLOB} ${BLOB} sub`, { repository: true, indexBlob: null }],
    [`u UU N... 100644 100644 100644 100644 ${BLOB} ${BLOB} ${BLOB} a`, { tracked: true, staged: true }],
    ["? new", { tracked: false, repository: false }],
    ["? clone/", { tracked: false, repository: true, path: Buffer.from("clone") }],
    ['? "new\\nclone/"', { repository: true, path: Buffer.from("new\nclone") }],
  ])("%s", (line, expected) => {
    expect(parseStatus(`# branch.oid x\n# branch.head main\n${line}\n`).changes).toMatchObject([expected]);
  });

  it("knows a detached head and passes over other headers", () => {
    expect(parseStatus("# branch.oid x\n# branch.head (detached)\n# stash 3\n")).toEqual({
      branch: null,
      changes: [],
    });
  });
});

it("parseGitPath undoes git's quoting of any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const quoted = `"${Array.from(bytes, quoteByte).join("")}"`;
      expect(parseGitPath(quoted)).toEqual(Buffer.from(bytes));
    }),
  );
});

function quoteByte(byte: number): string {
  if (byte === 34 || byte === 92) return `\\${String.fromCharCode(byte)}`;
  if (byte >= 32 && byte < 127) return String.fromCharCode(byte);
  if (byte === 10) return "\\n";
  return `\\${byte.toString(8).padStart(3, "0")}`;
}

it.each([
  [".env", true],
  [".env.local", true],
  ["prod.env", true],
  [".env.example", false],
  ["example.env", false],
  [".envrc", false],
  ["server.PEM", true],
  ["tls.key", true],
  ["keyboard.py", false],
  ["id_rsa", true],
  ["id_ed25519_work", true],
  ["id_rsa.pub", false],
  ["id_rsa_reader.py", false],
  ["credentials-prod.json", true],
  ["credentials.py", false],
  ["service-account.json", true],
  ["kaggle.json", true],
  [".netrc", true],
  ["secrets.yaml", true],
  ["secrets.py", false],
  ["secrets.example.yaml", false],
  ["environment.yml", false],
])("is %s secret-shaped: %s", (name, expected) => {
  expect(isSecretFile(Buffer.from(`/nowhere/folder.pem/${name}`))).toBe(expected);
});
