import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeGpus, makeFakeUuid } from "../../test/support/fake-gpus.ts";
import { findOwnProcesses } from "../../test/support/own-processes.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import { type HeldGpu, holdGpu } from "./hold-gpu.ts";
import { loadGpuReport } from "./load-gpus.ts";

const folder = useTempFolder();
const makeEnv = () => ({ ...process.env, ...makeFakeGpus(folder(), { gpus: [{}, {}] }).env });
const noProcesses = () =>
  waitFor(() => findOwnProcesses().length === 0, { what: "the end of every process" });

async function take(env: Record<string, string | undefined>, ...places: number[]): Promise<HeldGpu> {
  const held = await holdGpu({ candidates: places.map(makeFakeUuid), holder: "agent-1", env });
  if (typeof held === "string") throw new Error(held);
  return held;
}

describe("a GPU that is held", () => {
  it("is leased for everyone to see until it is released", async () => {
    const env = makeEnv();
    const held = await take(env, 1);
    expect(held.uuid).toBe(makeFakeUuid(1));
    const report = await loadGpuReport(makeLocalRunner(), { env });
    expect(report.gpus).toMatchObject([{ state: "free" }, { state: "leased", lease: { run: "agent-1" } }]);
    await held.release();
    await noProcesses();
    const after = await loadGpuReport(makeLocalRunner(), { env });
    expect(after.gpus.map(({ state }) => state)).toEqual(["free", "free"]);
  });

  it("is the next one where the first is taken, and none where all are", async () => {
    const env = makeEnv();
    const one = await take(env, 0, 1);
    const other = await take(env, 0, 1);
    expect([one.uuid, other.uuid]).toEqual([makeFakeUuid(0), makeFakeUuid(1)]);
    expect(await holdGpu({ candidates: [makeFakeUuid(0)], holder: "agent-3", env })).toBe("held");
    await Promise.all([one.release(), other.release()]);
    await noProcesses();
  });

  it("is impossible where leases cannot be made", async () => {
    writeFileSync(join(folder(), "file"), "");
    const env = { ...makeEnv(), SORTIE_LEASE_DIR: join(folder(), "file", "leases") };
    expect(await holdGpu({ candidates: [makeFakeUuid(0)], holder: "agent-1", env })).toBe("failed");
    await noProcesses();
  });

  /** A machine on which the lock of a file is waited for and waited for. */
  const makeHangingEnv = () => {
    const programs = join(folder(), "hanging");
    mkdirSync(programs);
    writeFileSync(join(programs, "flock"), "#!/bin/sh\nexec sleep 300\n", { mode: 0o755 });
    const env = makeEnv();
    return { ...env, PATH: `${programs}:${env.PATH}` };
  };

  it("is not waited for for ever", async () => {
    const options = { candidates: [makeFakeUuid(0)], holder: "agent-1", env: makeHangingEnv() };
    expect(await holdGpu({ ...options, patienceMs: 100 })).toBe("failed");
    await noProcesses();
  });

  it("is not waited for any more when that is called off", async () => {
    const options = { candidates: [makeFakeUuid(0)], holder: "agent-1", env: makeHangingEnv() };
    const off = new AbortController();
    const holding = holdGpu({ ...options, signal: off.signal });
    await waitFor(() => findOwnProcesses().some(({ command }) => command === "sleep 300"), {
      what: "the lock to hang",
    });
    off.abort();
    await expect(holding).rejects.toMatchObject({ code: "interrupted" });
    await noProcesses();
  });

  it("is free when its holder was killed, which is told", async () => {
    const env = makeEnv();
    const held = await take(env, 0);
    for (const { pid, command } of findOwnProcesses())
      if (command.includes("sortie-gpu-lease")) process.kill(pid, "SIGKILL");
    await held.lost;
    await noProcesses();
    await (await take(env, 0)).release();
    await held.release();
    await noProcesses();
  });
});
