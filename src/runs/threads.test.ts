import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findShells } from "../../test/support/shells.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { type JobScriptParts, makeJobScript } from "./job-script.ts";

const temp = useTempFolder();
const VARIABLES = [
  "OMP_NUM_THREADS",
  "MKL_NUM_THREADS",
  "OPENBLAS_NUM_THREADS",
  "NUMEXPR_NUM_THREADS",
  "VECLIB_MAXIMUM_THREADS",
];

/** What the command of a job finds in its environment, on a host whose affinity leaves it six CPUs. */
function run(shell: string, parts: Partial<JobScriptParts>, env: NodeJS.ProcessEnv = {}) {
  const bin = join(temp(), "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "nproc"), "#!/bin/sh\necho 6\n", { mode: 0o755 });
  const jobScript = join(temp(), "job.sh");
  const command = ["env", "-0"];
  writeFileSync(jobScript, makeJobScript({ activation: [], cwd: temp(), command, ...parts }));
  const [program = "sh", ...words] = [...shell.split(" "), jobScript];
  const printed = execFileSync(program, words, {
    env: { ...env, PATH: `${bin}:${process.env["PATH"]}` },
    encoding: "utf8",
  });
  return Object.fromEntries(printed.split("\0").map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

function readThreads(seen: Readonly<Record<string, string>>): (string | undefined)[] {
  return VARIABLES.map((name) => seen[name]);
}

describe.each(findShells())("the threads of a run, by %s", (shell) => {
  it.each([
    [1, "6"],
    [2, "3"],
    [4, "1"],
    [16, "1"],
    [0, "6"],
  ])("are the CPUs that it may use, shared by the processes of %d GPUs", (threadShares, threads) => {
    expect(readThreads(run(shell, { threadShares }))).toEqual(VARIABLES.map(() => threads));
  });

  it.each<[string, Partial<JobScriptParts>, NodeJS.ProcessEnv]>([
    ["who starts it", {}, { MKL_NUM_THREADS: "5" }],
    ["its own variables", { variables: { MKL_NUM_THREADS: "5" } }, {}],
    ["its activation", { activation: ["MKL_NUM_THREADS=5; export MKL_NUM_THREADS"] }, {}],
  ])("are left as they are where %s has set one of them", (_, parts, env) => {
    const seen = run(shell, { ...parts, threadShares: 1 }, env);
    expect(readThreads(seen)).toEqual([undefined, "5", undefined, undefined, undefined]);
  });

  it("are left as they are where nothing is said of them", () => {
    expect(readThreads(run(shell, {}))).toEqual(VARIABLES.map(() => undefined));
  });

  it("leave nothing else behind, and bear an activation that makes the shell strict", () => {
    const activation = ["set -eu"];
    const plain = run(shell, { activation });
    const seen = run(shell, { activation, threadShares: 1 }, { sortie_cpus: "mine" });
    expect(readThreads(seen)).toEqual(VARIABLES.map(() => "6"));
    const others = Object.keys(seen).filter((name) => !VARIABLES.includes(name) && name !== "sortie_cpus");
    expect(others.sort()).toEqual(Object.keys(plain).sort());
    expect(seen["sortie_cpus"]).toBe("mine");
  });
});

it("are one under the affinity of one CPU, as the system has it", () => {
  const jobScript = join(temp(), "job.sh");
  const command = ["printenv", "OMP_NUM_THREADS"];
  writeFileSync(jobScript, makeJobScript({ activation: [], cwd: temp(), command, threadShares: 1 }));
  const env = { PATH: process.env["PATH"] };
  const printed = execFileSync("taskset", ["-c", "0", "sh", jobScript], { env, encoding: "utf8" });
  expect(printed).toBe("1\n");
});
