import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { findShells } from "../../test/support/shells.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import countCpus from "./count-cpus.sh";

const temp = useTempFolder();
const cgroups: string[] = [];

afterEach(() => {
  for (const folder of cgroups.splice(0)) rmdirSync(folder);
});

/** Groups and quotas as a kernel would show them: `list` is the process's own, `files` lie below the mounts. */
function makeGroups(list: string, files: Readonly<Record<string, string>>): string[] {
  const root = join(temp(), "mounts");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  writeFileSync(join(temp(), "own"), list);
  return [root, join(temp(), "own")];
}

function count(shell: string, groups: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  // Eight CPUs by affinity, whatever this machine has.
  const bin = join(temp(), "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "nproc"), "#!/bin/sh\nprintenv OMP_NUM_THREADS || echo 8\n", { mode: 0o755 });
  const text = `set -eu\n${countCpus}\ncount_cpus "$@"\n`;
  const [program = "sh", ...words] = [...shell.split(" "), "-s", "--", ...groups];
  const PATH = `${bin}:${process.env["PATH"]}`;
  return Number(execFileSync(program, words, { input: text, env: { ...process.env, ...env, PATH } }));
}

const FIRST = "5:cpu,cpuacct:/a/b\n3:cpuset:/\n0::/user\n";

describe.each(findShells())("the CPUs that a process may use, by %s", (shell) => {
  it.each<[string, string, Readonly<Record<string, string>>, number]>([
    ["no quota", "0::/a\n", { "a/cpu.max": "max 100000\n" }, 8],
    ["a quota of version 2", "0::/a b\n", { "a b/cpu.max": "350000 100000\n" }, 3],
    ["less than one CPU", "0::/a\n", { "a/cpu.max": "50000 100000\n" }, 1],
    ["more than there are", "0::/a\n", { "a/cpu.max": "9900000 100000\n" }, 8],
    ["a quota further up", "0::/a/b/c\n", { "a/b/c/cpu.max": "max 1\n", "a/cpu.max": "200000 100000\n" }, 2],
    ["a container's own mount", "0::/kubepods/x\n", { "cpu.max": "400000 100000\n" }, 4],
    ["a group outside of the mount", "0::/../x\n", { "cpu.max": "400000 100000\n" }, 4],
    [
      "version 2 beside version 1",
      "0::/a\n1:name=systemd:/\n",
      { "unified/a/cpu.max": "200000 100000\n" },
      2,
    ],
    ["version 1", FIRST, { "cpu/a/b/cpu.cfs_quota_us": "-1\n", "cpu/a/b/cpu.cfs_period_us": "100000\n" }, 8],
    [
      "a quota of version 1",
      FIRST,
      { "cpu,cpuacct/a/cpu.cfs_quota_us": "500000\n", "cpu,cpuacct/a/cpu.cfs_period_us": "100000\n" },
      5,
    ],
    ["a list that nobody can read", "no list\n\n", { "cpu.max": "x y\n" }, 8],
    ["files that are cut", "0::/a\n", { "a/cpu.max": "", "cpu.max": "100000" }, 8],
  ])("%s", (_, list, files, expected) => {
    expect(count(shell, makeGroups(list, files))).toBe(expected);
  });

  it("are not the threads that somebody asks for", () => {
    expect(count(shell, makeGroups("", {}), { OMP_NUM_THREADS: "3" })).toBe(8);
  });

  it("are counted where there are no groups at all", () => {
    expect(count(shell, [join(temp(), "none"), join(temp(), "none")])).toBe(8);
  });
});

describe("on this machine", () => {
  const ask = (before: string) =>
    Number(execFileSync("sh", ["-s"], { input: `${before}\n${countCpus}\ncount_cpus\n`, encoding: "utf8" }));

  it("they are those of the process's affinity", () => {
    // A container may have none of the first CPUs.
    const first = "taskset -pc $$ | sed 's/.*: *//; s/[-,].*//'";
    expect(ask(`taskset -pc "$(${first})" $$ >/dev/null`)).toBe(1);
    expect(ask("")).toBeGreaterThanOrEqual(1);
  });

  it("they are those of a cgroup's quota, where one can be made", () => {
    const folder = makeCgroup(50_000);
    if (folder === null) return; // the rows above are about made-up ones
    expect(ask(`echo $$ >${folder}/cgroup.procs`)).toBe(1);
  });
});

/** A cgroup of this test with half a CPU; null: this machine lets nobody make one. */
function makeCgroup(quotaUs: number): string | null {
  const mount = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"].find((path) => existsSync(`${path}/cgroup.procs`));
  try {
    const folder = mkdtempSync(`${mount}/sortie-test-`);
    cgroups.push(folder);
    const isSecond = existsSync(`${folder}/cgroup.controllers`);
    if (isSecond && !readFileSync(`${folder}/cgroup.controllers`, "utf8").includes("cpu")) return null;
    if (isSecond) writeFileSync(`${folder}/cpu.max`, `${quotaUs} 100000`);
    else writeFileSync(`${folder}/cpu.cfs_quota_us`, String(quotaUs));
    return folder;
  } catch {
    return null; // not root, or the mount is for reading only
  }
}
