import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COUNT, HOST_KINDS, useEnvStage, WAIT } from "../../../test/support/env-stage.ts";
import { canMount, useMounts } from "../../../test/support/mounts.ts";
import { findShells, findTool, linkTools } from "../../../test/support/shells.ts";
import { findWorkProcesses } from "../../../test/support/target-places.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { SortieError } from "../../base/error.ts";
import type { EnvHost } from "../env-host.ts";
import { makeLookScript } from "./build-script.ts";
import { ensureBuilt } from "./ensure-built.ts";
import type { BuildProgress } from "./follow-build.ts";
import { readLog } from "./read-log.ts";
import { readLook } from "./read-look.ts";

/** What a host needs for it. */
const TOOLS = [
  "sh mkdir rm mv ln cat grep sed tr sort head tail wc cut uname readlink date sleep awk df sync chmod",
  "python3 setsid flock timeout env",
].flatMap((names) => names.split(" "));

const isFree = (lock: string) => spawnSync("flock", ["-n", lock, "true"]).status === 0;

describe.each(HOST_KINDS)("what keeps an environment from being built (%s)", (kind) => {
  const stage = useEnvStage(kind);
  const mounts = useMounts();

  const fail = (change: Parameters<ReturnType<typeof stage>["makeRequest"]>[0] = {}, host = stage().host) =>
    ensureBuilt(host, stage().makeRequest(change)).catch((thrown) => thrown);

  it.runIf(canMount())("no room in mid-build", async () => {
    mounts.mountSmall(stage().envs, 2048);
    const fill = 'cat /dev/zero >"$VIRTUAL_ENV/big"';
    const request = stage().makeRequest({}, { runCommands: [fill] });
    const fault = await ensureBuilt(stage().host, request).catch((thrown) => thrown);
    expect(fault).toMatchObject({
      code: "environment_build_failed",
      details: { cause: "disk_full", step: "run 1" },
    });
    expect(fault.hint).toContain("env_dir");
    expect(stage().list()).toEqual([]);
    expect((await ensureBuilt(stage().host, stage().makeRequest())).prefix).toMatch(/-2$/);
  });

  it.runIf(canMount())("no room at all, and none to write to; what is ready is used still", async () => {
    const { envs } = stage();
    mounts.mountSmall(envs, 512);
    const ready = await ensureBuilt(stage().host, stage().makeRequest());
    try {
      writeFileSync(join(envs, "full"), Buffer.alloc(1 << 20));
    } catch {
      // it is full now
    }
    const full = await fail({ hash: "fedc9876" });
    expect(full).toMatchObject({ code: "environment_unbuildable", details: { fault: "unwritable" } });
    expect(full.message).toContain("no room");
    rmSync(join(envs, "full"));
    mounts.mountReadOnly(envs);
    const closed = await fail({ hash: "fedc9876" });
    expect(closed).toMatchObject({ code: "environment_unbuildable", details: { fault: "unwritable" } });
    expect(closed.message).toMatch(/read-only/i);
    expect(await ensureBuilt(stage().host, stage().makeRequest())).toEqual(ready);
  });

  it.each(["flock", "setsid", "timeout"])("no %s", async (tool) => {
    const PATH = linkTools(
      join(stage().home, "programs"),
      TOOLS.filter((name) => name !== tool),
    );
    const fault = await fail({}, stage().makeHost({ PATH }));
    expect(fault).toMatchObject({ code: "environment_unbuildable" });
    expect(fault.message).toContain(`${tool} is not installed`);
  });

  it("a file system that keeps no locks", async () => {
    const programs = join(stage().home, "programs");
    mkdirSync(programs);
    const text = "#!/bin/sh\necho 'flock: 9: Function not implemented' >&2\nexit 71\n";
    writeFileSync(join(programs, "flock"), text, { mode: 0o755 });
    const fault = await fail({}, stage().makeHost({ PATH: `${programs}:${process.env["PATH"]}` }));
    expect(fault).toMatchObject({ code: "environment_unbuildable", details: { fault: "no_locks" } });
    expect(fault.message).toContain("Function not implemented");
  });

  it("no project, or a path that no shell bears", async () => {
    expect(await fail({ project: "~/gone" })).toMatchObject({ details: { fault: "folder_missing" } });
    expect(await fail({ envsDir: "~/two\nlines" })).toMatchObject({ details: { fault: "path_odd" } });
  });

  it("a build that takes too long is ended", async () => {
    const request = stage().makeRequest({ limitS: 2 }, { runCommands: [WAIT] });
    const fault = await ensureBuilt(stage().host, request).catch((thrown) => thrown);
    expect(fault).toMatchObject({
      code: "environment_build_failed",
      details: { cause: "time_limit", step: "run 1" },
    });
    expect(stage().list()).toEqual([]);
  });

  it("nothing, where a step leaves a process behind: it is ended", async () => {
    const request = stage().makeRequest({}, { runCommands: ["sleep 600 & setsid sleep 600 &"] });
    const ready = await ensureBuilt(stage().host, request);
    expect(findWorkProcesses()).toEqual([]);
    expect(existsSync(ready.prefix)).toBe(true);
  });

  it("a log that is too long for one look is followed whole", async () => {
    const lines = 40_000;
    const write = `i=0; while [ $i -lt ${lines} ]; do echo "line $i é of a long log"; i=$((i + 1)); done`;
    const request = stage().makeRequest({}, { runCommands: [write] });
    const news: BuildProgress[] = [];
    await ensureBuilt(stage().host, request, { onProgress: (one) => news.push(one) });
    const seen = news.flatMap((one) => one.lines).filter((line) => line.startsWith("line "));
    expect(seen.length).toBe(lines);
    expect(seen.at(-1)).toBe(`line ${lines - 1} é of a long log`);
    const kept = await readLog(stage().host, stage().makeRequest(), 100);
    expect(kept).toMatchObject({ build: "1", path: news[0]?.log });
    expect(kept?.text).toBe(
      readFileSync(news[0]?.log ?? "")
        .subarray(-100)
        .toString(),
    );
  });

  it("an answer that is lost: what was started is followed", async () => {
    let looks = 0;
    const failing: EnvHost = {
      ...stage().host,
      runScript: async (text, options) => {
        const outcome = await stage().host.runScript(text, { ...options, onStdout: () => undefined });
        looks += 1;
        if (looks === 1) throw new SortieError("ssh_lost");
        if (looks === 2) return outcome;
        return stage().host.runScript(text, options);
      },
    };
    const news: BuildProgress[] = [];
    const request = stage().makeRequest({}, { runCommands: [COUNT, WAIT] });
    const end = ensureBuilt(failing, request, { onProgress: (one) => news.push(one) });
    await waitFor(() => news.length > 0);
    writeFileSync(join(stage().home, "go"), "");
    expect((await end).prefix).toMatch(/-1$/);
    expect(news[0]).toMatchObject({ build: "1", isOurs: true });
    expect(stage().readRuns()).toEqual(["run"]);
  });

  it("nothing of what a person has entered, and nothing of a run, is part of a build", async () => {
    const host = stage().makeHost({
      ...{ PYTHONPATH: "/x", PYTHONHOME: "", VIRTUAL_ENV: "/x", CONDA_PREFIX: "/x", PIP_TARGET: "/x" },
      ...{ PIP_INDEX_URL: "file:///x", SORTIE_RUN_ID: "r1" },
    });
    const request = stage().makeRequest({}, { runCommands: ['env >"$HOME/env"; pwd >"$HOME/pwd"'] });
    const { prefix } = await ensureBuilt(host, request);
    const variables = readFileSync(join(stage().home, "env"), "utf8").split("\n");
    expect(variables).toContain(`VIRTUAL_ENV=${prefix}`);
    expect(variables).toContain("PIP_INDEX_URL=file:///x");
    expect(
      variables.filter((line) =>
        /^(PYTHONPATH|PYTHONHOME|CONDA_\w+|PIP_TARGET|SORTIE_RUN_ID|sortie_\w+)=/.test(line),
      ),
    ).toEqual([]);
    expect(readFileSync(join(stage().home, "pwd"), "utf8")).toBe(`${stage().project}\n`);
  });

  it("a connection that fails: asked again, the same build is followed", async () => {
    const request = stage().makeRequest({}, { runCommands: [COUNT, WAIT] });
    let looks = 0;
    const failing: EnvHost = {
      ...stage().host,
      runScript: (text, options) => {
        looks += 1;
        if (looks > 1) throw new SortieError("ssh_host_key_changed");
        return stage().host.runScript(text, options);
      },
    };
    await expect(ensureBuilt(failing, request)).rejects.toMatchObject({ code: "ssh_host_key_changed" });
    const news: BuildProgress[] = [];
    const again = ensureBuilt(stage().host, request, { onProgress: (one) => news.push(one) });
    await waitFor(() => news.length > 0);
    writeFileSync(join(stage().home, "go"), "");
    expect((await again).prefix).toMatch(/-1$/);
    expect(news[0]?.isOurs).toBe(false);
    expect(stage().readRuns()).toEqual(["run"]);
  });
});

describe("a lock whose builder is dead", () => {
  const stage = useEnvStage("local");

  it("and which something holds that bears no mark of a build: a look ends all the same", async () => {
    mkdirSync(stage().envs, { recursive: true });
    const lock = join(stage().envs, ".train-0123abcd.lock");
    // As what was started by sudo, or with an empty environment.
    const holder = spawn("flock", [lock, "sleep", "60"], { stdio: "ignore", detached: true });
    await waitFor(() => !isFree(lock), { what: "the lock" });
    const place = 'echo "$(uname -n) $(cat /proc/sys/kernel/random/boot_id) $(readlink /proc/self/ns/pid)"';
    const { stdout } = await stage().host.runScript(place, { timeoutMs: 10_000 });
    writeFileSync(lock, `build=1\nword=gone\nprocess=999999999\nplace=${stdout}`);
    const settings = { token: "t0", word: "mine", left: null, build: null, fromByte: 0, followMs: 0 };
    // The rounds of fifteen seconds, without their seconds.
    const text = `sleep() { :; }\n${makeLookScript(stage().makeRequest(), settings)}`;
    const look = await stage().host.runScript(text, { timeoutMs: 30_000 });
    process.kill(-(holder.pid as number), "SIGKILL");
    expect(look.timedOut).toBe(false);
    expect(readLook(Buffer.from(look.stdout), "t0")).toMatchObject({
      ...{ state: "unable", values: { fault: "no_builder" } },
    });
  });
});

describe("a connection that is cut in mid-build", () => {
  const stage = useEnvStage("ssh");

  it("is made again, and neither the build nor its log misses anything", async () => {
    const request = stage().makeRequest({}, { runCommands: [COUNT, WAIT, "echo the end"] });
    const news: BuildProgress[] = [];
    const end = ensureBuilt(stage().host, request, { onProgress: (one) => news.push(one) });
    await waitFor(() => news.some(({ step }) => step?.name === "run 2"), { timeoutMs: 20_000 });
    stage().cut();
    writeFileSync(join(stage().home, "go"), "");
    const { prefix } = await end;
    expect(prefix).toMatch(/-1$/);
    expect(stage().readRuns()).toEqual(["run"]);
    expect(`${news.flatMap(({ lines }) => lines).join("\n")}\n`).toBe(
      readFileSync(news[0]?.log ?? "", "utf8"),
    );
  });
});

describe("builders of other shells", () => {
  const stage = useEnvStage("local");

  it.each(findShells())("%s", async (shell) => {
    const programs = linkTools(join(stage().home, "programs"), TOOLS.slice(1));
    const program = shell.split(" ")[0] as string; // busybox is what it is called as
    symlinkSync(findTool(program) as string, join(programs, "sh"));
    const host = stage().makeHost({ PATH: programs });
    const request = stage().makeRequest({}, { runCommands: [COUNT, "exit 3"] });
    const fault = await ensureBuilt(host, request).catch((thrown) => thrown);
    expect(fault.details).toMatchObject({ step: "run 2", code: "3", cause: "failed" });
    const both = await Promise.all(
      [1, 2].map(() => ensureBuilt(host, stage().makeRequest({}, { runCommands: [COUNT] }))),
    );
    expect(both.map(({ prefix }) => prefix)).toEqual(Array(2).fill(join(stage().envs, "train-0123abcd-2")));
    expect(stage().readRuns()).toEqual(["run", "run"]);
    expect(stage().list()).toEqual(["train", "train-0123abcd-2"]);
  });
});
