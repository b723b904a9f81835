import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { type FakeGpusSpec, makeFakeGpus, makeFakeUuid } from "../../test/support/fake-gpus.ts";
import { findShells } from "../../test/support/shells.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { makeToken } from "../base/ids.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import { makeGpuProbe } from "./make-probe.ts";
import { parseGpuReport } from "./parse-report.ts";

const runner = makeLocalRunner();
const folder = useTempFolder();

interface ProbeCall {
  readonly spec?: FakeGpusSpec;
  readonly token?: string;
  readonly before?: string;
  readonly after?: string;
  readonly signal?: AbortSignal;
}

async function runProbe(
  shell: string,
  { spec, token = "t0ken", before = "", after = "", signal }: ProbeCall,
) {
  const { env } = makeFakeGpus(folder(), spec);
  const started = performance.now();
  const outcome = await runner.run([...shell.split(" "), "-s"], {
    stdin: `${before}\n${makeGpuProbe({ token, seconds: 1 })}\n${after}\n`,
    env: { ...process.env, ...env },
    timeoutMs: 20_000,
    signal,
  });
  return {
    ...outcome,
    report: parseGpuReport(outcome.stdout, { token, seconds: 1 }),
    tookMs: performance.now() - started,
  };
}

/** The folders that probes keep their answers in while they run. */
function findProbeFolders(token: string): string[] {
  const places = ["/dev/shm", tmpdir()].filter(existsSync);
  return places.flatMap((place) => readdirSync(place)).filter((name) => name === `sortie-probe-${token}`);
}

describe.each(findShells())("the probe under %s", (shell) => {
  it("reads GPUs, processes and leases, inside a longer script whose shell it leaves as it was", async () => {
    const uuid = makeFakeUuid(1);
    const before = `trap 'echo end of all' EXIT; umask 022`;
    const after = `sortie_run_id=r7; lease_take 7 ${uuid}; gpu_token=second; gpu_probe; umask; echo "\${LC_ALL-unset}"`;
    const spec = { gpus: [{}, {}], processes: [{ gpuUuid: makeFakeUuid(0), pid: process.pid }] };
    const { stdout, stderr, report } = await runProbe(shell, { spec, before, after });
    expect(stderr).toBe("");
    expect(report?.gpus).toMatchObject([
      { state: "busy", processes: [{ pid: process.pid, alive: true }], lease: null },
      { state: "free", lease: null },
    ]);
    expect(parseGpuReport(stdout, { token: "second" })?.gpus[1]).toMatchObject({
      state: "leased",
      lease: { run: "r7" },
    });
    expect(stdout.trim().split("\n").slice(-3)).toEqual([
      "0022",
      process.env["LC_ALL"] ?? "unset",
      "end of all",
    ]);
  });

  it("gives nvidia-smi its time and no more, and still tells the rest", async () => {
    const { report, stdout, tookMs } = await runProbe(shell, {
      spec: { fault: { delaySeconds: 60 } },
      after: "echo next",
    });
    expect(report?.fault?.reason).toBe("timeout");
    expect(stdout).toMatch(/next\n$/);
    expect(tookMs).toBeLessThan(10_000);
  });

  it("leaves no folder behind, also when it is ended", async () => {
    const [whole, ended] = [makeToken(), makeToken()];
    await runProbe(shell, { token: whole });
    expect(findProbeFolders(whole)).toEqual([]);

    const stop = new AbortController();
    const spec = { fault: { delaySeconds: 60 } };
    const probing = runProbe(shell, { spec, token: ended, signal: stop.signal });
    await waitFor(() => findProbeFolders(ended).length > 0, { what: "the probe" });
    stop.abort();
    await probing;
    await waitFor(() => findProbeFolders(ended).length === 0, { what: "the end of the folder" });
  });
});
