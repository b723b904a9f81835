import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isSoak } from "../../../test/support/effort.ts";
import { makeLocalEnvHost, makeSshEnvHost } from "../../../test/support/env-host.ts";
import { findFewShells } from "../../../test/support/shells.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import type { EnvHost } from "../env-host.ts";
import { findDocument } from "./find-document.ts";
import { type FollowTerms, followDocument } from "./follow-document.ts";

const folder = useTempFolder();
const sshd = useSshd();
const temp = () => join(folder(), "tmp");
const code = () => join(folder(), "code");

const makeShellHost = (shell: string): EnvHost => ({
  name: shell,
  runScript: (text, options) =>
    makeLocalRunner().run([...shell.split(" "), "-s"], {
      ...options,
      ...{ stdin: text, env: { ...process.env, TMPDIR: temp() } },
    }),
});
const makeServer: [string, () => EnvHost] = [
  "a server",
  () => makeSshEnvHost(sshd(), { env: { TMPDIR: temp() } }),
];
const hosts: [string, () => EnvHost][] = [
  ["this machine", () => makeLocalEnvHost({ env: { TMPDIR: temp() } })],
  ...(isSoak ? [makeServer] : []),
  ...findFewShells().map((shell): [string, () => EnvHost] => [shell, () => makeShellHost(shell)]),
];

const write = (files: Readonly<Record<string, string>>) => {
  mkdirSync(temp(), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(code(), path)), { recursive: true });
    writeFileSync(join(code(), path), text);
  }
};
const follow = (host: EnvHost, lines: readonly string[], terms: Partial<FollowTerms> = {}) => {
  const text = ["```sh sortie-check", ...lines, "```"].join("\n");
  const { commands, warnings } = findDocument({ ledger: null, readme: { file: "README.md", text } });
  expect(warnings).toEqual([]);
  return followDocument(host, {
    ...{ commands, enter: { lines: [], shell: "sh" }, timeoutMs: 30_000 },
    ...{ code: { folder: code(), files: null } },
    ...terms,
  });
};
const TRAIN = `import argparse, os
parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, required=True)
print("accuracy", 0.5 * parser.parse_args().epochs)
os.makedirs("out", exist_ok=True)
open("out/model.pt", "w").write("weights")
`;

describe.each(hosts)("on %s", (_, makeHost) => {
  it("a true document passes, in a folder that is gone afterwards", async () => {
    write({
      "train.py": TRAIN,
      "out/model.pt": "of last week",
      ".git/config": "",
      ".hidden": "",
      "a b/it's": "",
    });
    const followed = await follow(makeHost(), [
      "python3 train.py --epochs 1",
      "pwd; ls -A | tr '\\n' ' '",
      "# expect file out/model.pt",
      "# expect line accuracy 0.5",
      "# expect line /^\\.hidden a b out train\\.py $/",
    ]);
    expect(followed).toMatchObject({ passed: true, divergences: [] });
    expect(followed.tail).toContain(temp());
    expect(readdirSync(temp())).toEqual([]);
    expect(readFileSync(join(code(), "out", "model.pt"), "utf8")).toBe("of last week");
  });

  it("each divergence is named: a wrong flag, and what did not come of it", async () => {
    write({ "train.py": TRAIN, "old.txt": "" });
    const { passed, divergences } = await follow(makeHost(), [
      "python3 train.py --epoch-count 1",
      "# expect file out/model.pt",
      "# expect file old.txt",
      "# expect line /accuracy \\d/",
    ]);
    expect(passed).toBe(false);
    expect(divergences.map(({ claim }) => claim)).toEqual(
      ["exit 0", "file out/model.pt", "file old.txt", "line /accuracy \\d/"].map(
        (c) => `README.md line 1: ${c}`,
      ),
    );
    expect(divergences[0]?.command).toBe("python3 train.py --epoch-count 1");
    expect(divergences[0]?.reality).toMatch(
      /^exit 2; its last line: .*error: the following arguments are required/,
    );
    expect(divergences[1]?.reality).toMatch(/no such file/);
    expect(divergences[2]?.reality).toMatch(/does not write it/);
  });

  it("the environment is clean but for the one that is entered", async () => {
    write({});
    mkdirSync(code(), { recursive: true });
    const enter = { lines: ["export MODE='a b'", "echo banner", "set -eu"], shell: "bash" } as const;
    const lines = ["env | sed 's/=.*//' | sort | tr '\\n' ' '", "false", "echo $MODE$UNSET."];
    const { tail } = await follow(makeHost(), [...lines, "# expect line a b."], { enter });
    expect(tail).toMatch(/^HOME LANG (LOGNAME )?MODE PATH PWD SHELL (SHLVL )?TMPDIR USER (_ )?a b\.\n/);
  });

  it("files of a list alone are copied, byte for byte", async () => {
    write({ "a b.py": "", "-x": "", "é\n'$(id)": "", "data/huge": "", "empty/none": "" });
    symlinkSync("/nowhere", join(code(), "link"));
    const files = Buffer.from(["a b.py", "-x", "é\n'$(id)", "link", "gone"].join("\0"));
    const { divergences } = await follow(
      makeHost(),
      ["ls -A | wc -l", "ls -- -x a* é* link", "# expect line /^\\s*5$/"],
      {
        code: { folder: code(), files },
      },
    );
    expect(divergences).toEqual([]); // one name has a newline in it
  });

  it("a command that hangs is ended with what it started, and so is what it leaves", async () => {
    write({ "x.sh": "" });
    const pid = join(folder(), "pid");
    const start = `sh -c 'trap "" TERM; echo $$ >"$0"; while :; do sleep 1; done' ${JSON.stringify(pid)} &`;
    const hung = await follow(makeHost(), [start, "echo waiting", "sleep 600"], { timeoutMs: 1000 });
    expect(hung.divergences).toMatchObject([
      { reality: "it still ran after 1 s, and was ended; its last line: waiting" },
    ]);
    await waitFor(() => !isAlive(pid), { what: "the end of what was started" });
    const left = await follow(makeHost(), [start, `until [ -s ${JSON.stringify(pid)} ]; do sleep 0.1; done`]);
    expect(left.passed).toBe(true);
    await waitFor(() => !isAlive(pid), { what: "the end of what was left" });
    expect(readdirSync(temp())).toEqual([]);
  });
});

const isAlive = (pidFile: string) => existsSync(`/proc/${readFileSync(pidFile, "utf8").trim()}`);

it("an environment that cannot be entered is said, and a folder that nobody may write is removed", async () => {
  write({ "x.sh": "" });
  const enter = { lines: ["echo no such environment >&2; false"], shell: "sh" } as const;
  const { divergences } = await follow(makeLocalEnvHost({ env: { TMPDIR: temp() } }), ["true"], { enter });
  expect(divergences).toMatchObject([
    { command: "true", reality: "the environment cannot be entered; its last line: no such environment" },
  ]);
  await follow(makeLocalEnvHost({ env: { TMPDIR: temp() } }), ["mkdir a; touch a/b; chmod 0 a"]);
  expect(readdirSync(temp())).toEqual([]);
});

it("a command that prints without end is stopped", async () => {
  write({ "x.sh": "" });
  const { divergences } = await follow(makeLocalEnvHost({ env: { TMPDIR: temp() } }), ["yes sortie"]);
  expect(divergences[0]?.reality).toMatch(/more than 64 MiB/);
});

describe("what says nothing about the document is thrown", () => {
  it("a folder of code that is not there", async () => {
    write({});
    await expect(follow(makeLocalEnvHost({ env: { TMPDIR: temp() } }), ["true"])).rejects.toMatchObject({
      code: "document_unfollowed",
    });
  });

  it("no place for a folder", async () => {
    write({ "x.sh": "" });
    const fault = await follow(makeLocalEnvHost({ env: { TMPDIR: join(temp(), "gone") } }), ["true"]).catch(
      (e) => e,
    );
    expect(fault.message).toMatch(/no folder can be made in .*gone/);
  });

  it("a call that is taken back, after which nothing is left", async () => {
    write({ "x.sh": "" });
    const over = new AbortController();
    const pid = join(folder(), "pid");
    const host = makeLocalEnvHost({ env: { TMPDIR: temp() } });
    const followed = follow(host, [`echo $$ >${JSON.stringify(pid)}; sleep 600`], { signal: over.signal });
    await waitFor(() => existsSync(pid) && readFileSync(pid, "utf8") !== "", { what: "the command" });
    over.abort();
    await expect(followed).rejects.toMatchObject({ code: "document_unfollowed" });
    await waitFor(() => !isAlive(pid) && readdirSync(temp()).length === 0, { what: "the end of all" });
  });

  it("a connection that is cut, after which nothing is left either", async () => {
    write({ "x.sh": "" });
    chmodSync(folder(), 0o755);
    const pid = join(folder(), "pid");
    const host = makeSshEnvHost(sshd(), { env: { TMPDIR: temp() } });
    const followed = follow(host, [`echo $$ >${JSON.stringify(pid)}; sleep 600`]).catch((fault) => fault);
    await waitFor(() => existsSync(pid) && readFileSync(pid, "utf8") !== "", { what: "the command" });
    sshd().proxy.cut();
    expect((await followed).code).toMatch(/^ssh_|unfollowed/);
    await waitFor(() => !isAlive(pid) && readdirSync(temp()).length === 0, { what: "the end of all" });
  });
});
