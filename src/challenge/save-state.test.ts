import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTool } from "../../test/support/shells.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { SortieError } from "../base/error.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import { saveState } from "./save-state.ts";
import { loadStateFile } from "./state-file.ts";

const runner = makeLocalRunner();
const folder = useTempFolder();
const path = () => join(folder(), ".simubotix-challenge.env");
const save = (changes: Parameters<typeof saveState>[1]) => saveState({ HOME: folder() }, changes);
const read = () => readFileSync(path(), "utf8");
const write = (text: string | Uint8Array, mode = 0o600) => {
  writeFileSync(path(), text);
  chmodSync(path(), mode);
};

function findCode(action: () => unknown): string {
  try {
    return `no fault: ${JSON.stringify(action())}`;
  } catch (fault) {
    return fault instanceof SortieError ? fault.code : String(fault);
  }
}

/** All a shell can be made to trip over. */
const odd = [
  "it's",
  '"q"',
  "a b\tc",
  "$HOME `date` $(date)",
  "two\nlines\n",
  "\\n\\",
  "é€ #!~*",
  "x\r\ny",
  "'",
];

describe("what is saved", () => {
  it("is one line in single quotes, for the owner alone", () => {
    expect(save({ JOB_ID: "7", JOB_UUID: "it's", JOB_TOKEN: null })).toEqual({ path: path(), said: [] });
    expect(read()).toBe("JOB_ID='7'\nJOB_UUID='it'\\''s'\n");
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  // zsh is no part of every machine that tests run on; bash and dash are.
  it.each(["bash", "dash", ...(findTool("zsh") ? ["zsh"] : [])])(
    "comes back from %s byte for byte, also after a helper of the user's changed another line",
    async (shell) => {
      const names = ["CHALLENGE_TOKEN", "JOB_ID", "JOB_UUID", "JOB_TOKEN", "PARALLELISM"] as const;
      for (let at = 0; at < odd.length; at += names.length) {
        const values = odd.slice(at, at + names.length);
        save(Object.fromEntries(values.map((value, index) => [names[index], value])));
        const set = names.slice(0, values.length);
        expect(await sourceBy(shell, set)).toEqual(values);
        await changeByHelper("TUNNEL_ENDPOINT", "ws://h/a b'$x");
        expect(await sourceBy(shell, [...set, "TUNNEL_ENDPOINT"])).toEqual([...values, "ws://h/a b'$x"]);
        expect(loadStateFile({ HOME: folder() }).values.TUNNEL_ENDPOINT).toBe("ws://h/a b'$x");
        save({ JOB_ID: "8" });
        expect(await sourceBy("bash", ["TUNNEL_ENDPOINT", "JOB_ID"])).toEqual(["ws://h/a b'$x", "8"]);
      }
    },
  );

  it("is what we read again, whatever it is", () => {
    const value = fc
      .string({ unit: "binary", maxLength: 20 })
      .filter((text) => !/\0/.test(text) && text !== "");
    fc.assert(
      fc.property(value, (JOB_TOKEN) => {
        save({ JOB_TOKEN });
        expect(loadStateFile({ HOME: folder() }).values.JOB_TOKEN).toBe(JOB_TOKEN);
      }),
      { numRuns: 50 },
    );
  });

  it("holds no null character", () => {
    expect(findCode(() => save({ JOB_TOKEN: "a\0b" }))).toBe("state_value_bad");
    expect(existsSync(path())).toBe(false);
  });
});

describe("what stands there already", () => {
  it.each([
    ["JOB_ID=1\n# mine\nFOO=$(cat x)\n", "JOB_ID='9'\n# mine\nFOO=$(cat x)\n"],
    ["JOB_ID=1\nX=2\nJOB_ID=3\n", "X=2\nJOB_ID='9'\n"],
    ["export JOB_ID=1 # mine\n", "export JOB_ID='9' # mine\n"],
    ["export JOB_ID=1 FOO='a b'\n", "export JOB_ID='9' FOO='a b'\n"],
    ["JOB_ID=1; FOO=2\n", "JOB_ID='9'; FOO=2\n"],
    ["FOO=1", "FOO=1\nJOB_ID='9'\n"],
    ["JOB_ID=1", "JOB_ID='9'"],
    ["JOB_ID=1\r\nFOO=2\r\n", "JOB_ID='9'\nFOO=2\r\n"],
    ['JOB_ID="two\nlines"\nFOO=1\n', "JOB_ID='9'\nFOO=1\n"],
    ["JOB_ID=$(cat x)\nFOO=1\n", "JOB_ID='9'\nFOO=1\n"],
    ["FOO=$(cat x)\necho hello\n", "FOO=$(cat x)\necho hello\nJOB_ID='9'\n"],
    ["if x; then JOB_ID=1; fi\n", "if x; then JOB_ID=1; fi\nJOB_ID='9'\n"],
    ["\ufeffJOB_ID=1\n", "\ufeffJOB_ID='9'\n"],
  ])("%j becomes %j", (before, after) => {
    write(before);
    save({ JOB_ID: "9" });
    expect(read()).toBe(after);
    expect(loadStateFile({ HOME: folder() }).values.JOB_ID).toBe("9");
  });

  it.each([
    ["JOB_ID=1\nFOO=2\nJOB_ID=3\n", "FOO=2\n"],
    ["export JOB_ID=1 FOO=2\n", "export  FOO=2\n"],
    ["JOB_ID=1; FOO=2\n", "FOO=2\n"],
    ["FOO=2 JOB_ID=1\n", "FOO=2 \n"],
    ["export JOB_ID=1\n", ""],
    ["JOB_ID=$(cat x)\n", ""],
    ["FOO=2\n", "FOO=2\n"],
  ])("%j without the variable is %j", (before, after) => {
    write(before);
    expect(save({ JOB_ID: null }).said).toEqual([]);
    expect(read()).toBe(after);
  });

  it("may be no UTF-8", () => {
    const before = Buffer.from([0x23, 0xff, 0xfe, 0xa0, 0x0a]);
    write(before);
    save({ JOB_ID: "é" });
    expect(readFileSync(path())).toEqual(Buffer.concat([before, Buffer.from("JOB_ID='é'\n")]));
  });

  it("is closed to others, and that is said", () => {
    write("FOO=1\n", 0o644);
    expect(save({ JOB_ID: "1" }).said).toEqual([expect.stringMatching(/was open to others.*yours alone/)]);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it("may be a link to a file, which is there or not yet", () => {
    symlinkSync("real", path());
    save({ JOB_ID: "1" });
    save({ JOB_UUID: "u" });
    expect(lstatSync(path()).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder(), "real"), "utf8")).toBe("JOB_ID='1'\nJOB_UUID='u'\n");
  });

  it.each([
    ["a folder", () => mkdirSync(path()), "state_file_unreadable"],
    ["a loop of links", () => symlinkSync(".simubotix-challenge.env", path()), "state_file_unreadable"],
    ["too large", () => write("#".repeat(2 ** 20 + 1)), "state_file_unreadable"],
    ["a file with an open quote", () => write("FOO='open\nJOB_ID=1\n"), "no fault"],
  ])("that is %s is never lost", (_, make, code) => {
    make();
    const before = lstatSync(path()).isFile() ? read() : "";
    expect(findCode(() => save({ JOB_ID: "2" }))).toMatch(code);
    if (code !== "no fault") expect(lstatSync(path()).isFile() ? read() : "").toBe(before);
  });
});

/** The user's own helper, as the texts of the challenge have it. */
async function changeByHelper(name: string, value: string): Promise<void> {
  const script = `
    file=~/.simubotix-challenge.env; touch "$file"
    tmp=$(mktemp ~/helper.XXXXXX); awk -v k="$1" 'index($0, k "=") != 1' "$file" >"$tmp"
    printf '%s=%q\\n' "$1" "$2" >>"$tmp"; mv "$tmp" "$file"`;
  const outcome = await runner.run(["bash", "-c", script, "bash", name, value], {
    env: { PATH: process.env["PATH"], HOME: folder() },
    timeoutMs: 10_000,
  });
  expect(outcome.stderr).toBe("");
}

async function sourceBy(shell: string, names: readonly string[]): Promise<string[]> {
  const print = names.map((name) => `printf '%s\\0' "$${name}"`).join("\n");
  const outcome = await runner.run([shell, "-c", `set -a; . ~/.simubotix-challenge.env\n${print}`], {
    env: { PATH: process.env["PATH"], HOME: folder(), LC_ALL: "C.UTF-8" },
    timeoutMs: 10_000,
  });
  expect(outcome.stderr).toBe("");
  return outcome.stdout.split("\0").slice(0, -1);
}
