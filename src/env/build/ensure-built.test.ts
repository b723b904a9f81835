import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { COUNT, HOST_KINDS, useEnvStage, WAIT } from "../../../test/support/env-stage.ts";
import { findWorkProcesses } from "../../../test/support/target-places.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { writeWheel } from "../../../test/support/wheel.ts";
import { ensureBuilt } from "./ensure-built.ts";
import type { BuildProgress } from "./follow-build.ts";

describe.each(HOST_KINDS)("an environment on a host (%s)", (kind) => {
  const stage = useEnvStage(kind);
  const readPointer = () => readlinkSync(join(stage().envs, "train"));
  const go = () => writeFileSync(join(stage().home, "go"), "");

  /** Builds until a step waits for `go`; its news are there from then on. */
  const startWaiting = async (request = stage().makeRequest({}, { runCommands: [COUNT, WAIT] })) => {
    const abort = new AbortController();
    const news: BuildProgress[] = [];
    const end = ensureBuilt(stage().host, request, {
      onProgress: (progress) => news.push(progress),
      signal: abort.signal,
    }).catch((fault) => fault);
    await waitFor(() => news.some(({ step }) => step?.name === "run 2"), { timeoutMs: 30_000 });
    return { end, news, abort, request };
  };
  const readClaim = () =>
    Object.fromEntries(
      readFileSync(join(stage().envs, ".train-0123abcd.lock"), "utf8")
        .split("\n")
        .map((line) => line.split("=", 2)),
    );

  it("is built in phases by the real pip, once, and then ready at once", async () => {
    const wheels = join(stage().home, "the wheels");
    mkdirSync(wheels);
    for (const name of ["alpha", "beta", "gamma"]) writeWheel(wheels, { name, version: "1.0" });
    const from = `--find-links "${pathToFileURL(wheels).href}"`;
    const pipPhases = ["alpha==1.0", "beta", "gamma"].map((name) => ["--no-index", from, name]);
    const request = stage().makeRequest({ python: null }, { pipPhases });
    const news: BuildProgress[] = [];
    const ready = await ensureBuilt(stage().host, request, { onProgress: (one) => news.push(one) });
    expect(ready).toMatchObject({
      ...{ name: "train", hash: "0123abcd", inputs: null, tool: "venv" },
      prefix: join(stage().envs, "train-0123abcd-1"),
      interpreter: { path: join(stage().envs, "train-0123abcd-1", "bin", "python"), packages: null },
    });
    expect(ready.interpreter.version).toMatch(/^3\.\d+\.\d+/);
    expect(readPointer()).toBe("train-0123abcd-1");
    const lines = news.flatMap((one) => one.lines);
    expect(lines.filter((line) => line.startsWith("sortie: "))).toEqual(
      ["python", "pip 1", "pip 2", "pip 3"].map((name, at) => `sortie: step ${at + 1}/4: ${name}`),
    );
    expect(`${lines.join("\n")}\n`).toBe(readFileSync(news[0]?.log ?? "", "utf8"));
    expect(news.at(-1)).toMatchObject({
      build: "1",
      isOurs: true,
      step: { number: 4, total: 4, name: "pip 3" },
    });

    const started = performance.now();
    expect(await ensureBuilt(stage().host, request)).toEqual(ready);
    expect(performance.now() - started).toBeLessThan(1000);
    expect(stage().list()).toEqual(["train", "train-0123abcd-1"]);
  });

  it("keeps what was built when a pin changes, and goes back to it", async () => {
    const first = await ensureBuilt(stage().host, stage().makeRequest());
    const second = await ensureBuilt(stage().host, stage().makeRequest({ hash: "fedc9876" }));
    expect(readPointer()).toBe("train-fedc9876-1");
    expect(await ensureBuilt(stage().host, stage().makeRequest())).toEqual(first);
    expect(readPointer()).toBe("train-0123abcd-1");
    const third = await ensureBuilt(stage().host, stage().makeRequest({ inputs: "11112222" }));
    expect([first, second, third].map(({ prefix }) => prefix.split("/").at(-1))).toEqual([
      ...["train-0123abcd-1", "train-fedc9876-1", "train-0123abcd-2"],
    ]);
    expect(await ensureBuilt(stage().host, stage().makeRequest())).toEqual(first);
  });

  it("is built by one of many who ask, and all get it", async () => {
    const request = stage().makeRequest({}, { runCommands: [COUNT, "sleep 0.5"] });
    const all = await Promise.all([1, 2, 3].map(() => ensureBuilt(stage().host, request)));
    expect(new Set(all.map(({ prefix }) => prefix)).size).toBe(1);
    expect(stage().readRuns()).toEqual(["run"]);
  });

  it("is called off by who has begun it, with all that was made; who waited builds it", async () => {
    const first = await startWaiting();
    const news: BuildProgress[] = [];
    const second = ensureBuilt(stage().host, first.request, { onProgress: (one) => news.push(one) });
    await waitFor(() => news.some(({ isOurs, step }) => !isOurs && step?.name === "run 2"));
    first.abort.abort();
    expect(await first.end).toMatchObject({ code: "interrupted" });
    expect(existsSync(join(stage().envs, "train-0123abcd-1"))).toBe(false);
    expect(readFileSync(join(stage().envs, "logs", "train-0123abcd-1.exit"), "utf8")).toContain(
      "reason=stopped",
    );
    go();
    expect((await second).prefix).toBe(join(stage().envs, "train-0123abcd-2"));
    expect(news.at(-1)?.isOurs).toBe(true);
    expect(stage().readRuns()).toEqual(["run", "run"]);
  });

  it("goes on when who waits for another's gives up", async () => {
    const first = await startWaiting();
    const abort = new AbortController();
    const second = ensureBuilt(stage().host, first.request, {
      onProgress: () => abort.abort(),
      signal: abort.signal,
    });
    await expect(second).rejects.toMatchObject({ code: "interrupted" });
    go();
    expect(await first.end).toMatchObject({ prefix: join(stage().envs, "train-0123abcd-1") });
  });

  it.each(["its builder", "all of it"])("is never used half-built: %s is killed", async (what) => {
    const { end, request } = await startWaiting();
    const half = join(stage().envs, "train-0123abcd-1");
    expect(existsSync(half)).toBe(true);
    process.kill(Number(readClaim()["process"]), "SIGKILL");
    if (what === "all of it") {
      for (const { pid, command } of findWorkProcesses()) {
        if (/^(sh -c until|sh -s$|timeout)/.test(command)) process.kill(pid, "SIGKILL");
      }
    }
    expect(await end).toMatchObject({ code: "environment_build_failed", details: { cause: "killed" } });
    expect(existsSync(half)).toBe(true);
    go();
    const ready = await ensureBuilt(stage().host, request);
    expect(ready.prefix).toBe(join(stage().envs, "train-0123abcd-2"));
    expect(stage().list()).toEqual(["train", "train-0123abcd-2"]);
    expect(readdirSync(join(stage().envs, "logs"))).toEqual(
      ["1.log", "2.exit", "2.log"].map((end) => `train-0123abcd-${end}`),
    );
    expect(findWorkProcesses()).toEqual([]);
  });

  it("keeps its lock from an nvidia-smi, which may hang for as long as the host is up", async () => {
    const programs = join(stage().home, "programs");
    mkdirSync(programs);
    const text = '#!/bin/sh\n[ ! -e /proc/$$/fd/9 ] || touch "$HOME/held"\ntouch "$HOME/asked"\n';
    writeFileSync(join(programs, "nvidia-smi"), text, { mode: 0o755 });
    const host = stage().makeHost({ PATH: `${programs}:${process.env["PATH"]}` });
    await ensureBuilt(host, stage().makeRequest());
    expect(existsSync(join(stage().home, "asked"))).toBe(true);
    expect(existsSync(join(stage().home, "held"))).toBe(false);
  });

  it("fails with the step, its code, what it said and its log; what was made is removed", async () => {
    const request = stage().makeRequest(
      {},
      { runCommands: ["true", "echo 'Error: no luck' >&2; echo more; exit 7"] },
    );
    const fault = await ensureBuilt(stage().host, request).catch((thrown) => thrown);
    expect(fault).toMatchObject({ code: "environment_build_failed" });
    expect(fault.details).toMatchObject({
      step: "run 2",
      code: "7",
      cause: "failed",
      reason: "Error: no luck",
    });
    expect(fault.details.tail).toContain("more");
    expect(readFileSync(fault.details.log, "utf8")).toContain("no luck");
    expect(stage().list()).toEqual([]);
    expect((await ensureBuilt(stage().host, stage().makeRequest())).prefix).toMatch(/-2$/);
  });

  it("is not taken for what only looks like it", async () => {
    const { envs } = stage();
    mkdirSync(join(envs, "train-0123abcd-4", "bin"), { recursive: true });
    mkdirSync(join(envs, "train-0123abcd-5"));
    writeFileSync(join(envs, "train-0123abcd-5", "ready.json"), '{"name":"train"');
    mkdirSync(join(envs, "train-0123abcd-old"));
    symlinkSync("train-0123abcd-old", join(envs, "train-0123abcd-9"));
    mkdirSync(join(envs, "train"));
    const ready = await ensureBuilt(stage().host, stage().makeRequest());
    expect(ready.prefix).toBe(join(envs, "train-0123abcd-6"));
    expect(stage().list()).toEqual([
      ...["train", "train-0123abcd-5", "train-0123abcd-6", "train-0123abcd-9", "train-0123abcd-old"],
    ]);
    // Its Python is gone, or is another one: what was built with it is not used any more.
    rmSync(join(ready.prefix, "bin", "python"));
    expect((await ensureBuilt(stage().host, stage().makeRequest())).prefix).toMatch(/-7$/);
  });
});
