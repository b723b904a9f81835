import { describe, expect, it } from "vitest";
import { type JudgeContext, judgeRun } from "./judge-run.ts";
import type { HostFacts, Observation } from "./observe-script.ts";

const facts: HostFacts = {
  host: "box",
  boot: "b1",
  pidNamespace: "ns1",
  initStart: "25",
  uptimeS: 500,
  now: "2026-01-01T00:00:00Z",
};
const pid = {
  host: "box",
  boot: "b1",
  pid_namespace: "ns1",
  supervisor: "10",
  supervisor_start: "1000",
  group: "11",
  started_uptime: "100.5",
};
const exit = {
  code: "0",
  reason: "exited",
  ended_at: "2026-01-01T00:00:00Z",
  ended_uptime: "160.75",
  oom_kills: "0",
};
const nothing: Observation = {
  attempt: 1,
  folderThere: true,
  pid: null,
  stop: null,
  exit: null,
  closed: false,
  supervisorAlive: false,
  commandAlive: false,
  carriers: [],
  diskFreeKib: 1_000_000,
  logBytes: 0,
  sampledAt: null,
};
const context: JudgeContext = {
  launcherAlive: false,
  startIntentAt: null,
  hasStarted: false,
  nowMs: Date.parse("2026-01-01T00:01:00Z"),
  host: "box",
};
const judge = (seen: Partial<Observation>, more: Partial<JudgeContext> = {}, host: Partial<HostFacts> = {}) =>
  judgeRun({ ...nothing, ...seen }, { ...facts, ...host }, { ...context, ...more });

describe("with an exit record", () => {
  it.each([
    [{ ...exit }, null, "succeeded", "exited", 0],
    [{ ...exit, code: "3" }, null, "failed", "exited", 3],
    [{ ...exit, code: "137", reason: "signal" }, null, "failed", "signal", 137],
    [{ ...exit, code: "143", reason: "time_limit" }, null, "failed", "time_limit", 143],
    [{ ...exit, code: "143", reason: "time_limit" }, { by: "me" }, "failed", "time_limit", 143],
    [{ ...exit, code: "0", reason: "stopped" }, { by: "me" }, "stopped", "stopped", 0],
    [{ ...exit, code: "129", reason: "hang_up" }, { by: "hang_up" }, "stopped", "hang_up", 129],
    [{ ...exit, code: "", reason: "gpu_taken" }, null, "failed", "gpu_taken", null],
  ])("%j, stop %j: %s, %s", (record, stop, state, endReason, exitCode) => {
    expect(judge({ pid, exit: record, stop })).toMatchObject({ state, endReason, exitCode });
  });

  it("hands on what the kernel left about memory", () => {
    const killed = {
      ...exit,
      code: "137",
      reason: "signal",
      oom_kills: "1",
      kernel: "Killed process 11 (python)",
    };
    expect(judge({ pid, exit: killed }).memory).toEqual({
      kernelLog: "Killed process 11 (python)",
      oomKills: 1,
    });
  });

  it("takes the duration from the host's own clock", () => {
    expect(judge({ pid, exit }).durationS).toBe(60.25);
    expect(judge({ pid: { ...pid, started_uptime: "" }, exit }).durationS).toBeNull();
  });
});

describe("without one", () => {
  it("runs while the supervisor, the command or a carrier of its mark lives", () => {
    for (const sign of [{ supervisorAlive: true }, { commandAlive: true }, { carriers: [12] }]) {
      expect(judge({ pid, ...sign })).toMatchObject({ state: "running", reachable: true });
    }
  });

  it("is lost when nothing of it lives, with the reason that is found", () => {
    expect(judge({ pid })).toMatchObject({ state: "lost", endReason: "supervisor_killed" });
    expect(judge({ pid, diskFreeKib: 0 })).toMatchObject({ state: "lost", endReason: "disk_full" });
    expect(judge({ pid, commandAlive: true }, {}, { boot: "b2" })).toMatchObject({
      state: "lost",
      endReason: "host_restarted",
    });
    const younger = { pidNamespace: "ns2", initStart: "2000" };
    const silent = { pid, sampledAt: "2025-12-31T23:58:00Z" };
    expect(judge(silent, {}, younger)).toMatchObject({ state: "lost", endReason: "container_restarted" });
  });

  it("is not judged from another host, nor from a neighbouring container", () => {
    expect(judge({ pid }, {}, { host: "other" })).toMatchObject({ state: "running", reachable: false });
    expect(judge({ pid }, {}, { pidNamespace: "ns2", initStart: "25" })).toMatchObject({
      state: "running",
      reachable: false,
    });
    const sampling = { pid, sampledAt: "2025-12-31T23:59:45Z" };
    expect(judge(sampling, {}, { pidNamespace: "ns2", initStart: "2000" })).toMatchObject({
      reachable: false,
    });
  });
});

describe("without a record of its processes", () => {
  const broken = { supervisor: "10" };

  it("runs while something carries its mark", () => {
    for (const record of [null, broken])
      expect(judge({ pid: record, carriers: [12] }, { hasStarted: true })).toMatchObject({
        state: "running",
      });
  });

  it("is lost when it was seen before, and says why", () => {
    const lost = { state: "lost", endReason: "unknown", reachable: true };
    const seen = { hasStarted: true };
    expect(judge({ pid: null }, seen)).toMatchObject({ ...lost, evidence: expect.stringMatching(/removed/) });
    expect(judge({ pid: broken }, seen)).toMatchObject({
      ...lost,
      evidence: expect.stringMatching(/broken/),
    });
  });

  it("never started when it was not seen, and is closed only where there is no record", () => {
    expect(judge({ pid: null })).toMatchObject({ endReason: "never_started", mustClose: true });
    expect(judge({ pid: {} })).toMatchObject({ endReason: "never_started", mustClose: false });
  });
});

describe("before it has started", () => {
  it("is prepared while its launcher lives, and for ten seconds after the intent", () => {
    expect(judge({}, { launcherAlive: true })).toMatchObject({ state: "preparing", mustClose: false });
    expect(judge({}, { startIntentAt: "2026-01-01T00:00:55Z" })).toMatchObject({
      state: "preparing",
      mustClose: false,
    });
  });

  it("is given two minutes after the intent while its launcher lives", () => {
    const judgeAt = (startIntentAt: string) => judge({}, { launcherAlive: true, startIntentAt });
    expect(judgeAt("2025-12-31T23:59:05Z")).toMatchObject({ state: "preparing", mustClose: false });
    expect(judgeAt("2025-12-31T23:58:55Z")).toMatchObject({ endReason: "never_started", mustClose: true });
  });

  it("must be closed before it may be called failed", () => {
    expect(judge({})).toMatchObject({ state: "failed", endReason: "never_started", mustClose: true });
    expect(judge({ pid: {}, closed: true })).toMatchObject({
      state: "failed",
      endReason: "never_started",
      mustClose: false,
    });
    expect(judge({ pid: {}, closed: true, stop: { by: "me" } })).toMatchObject({ state: "stopped" });
  });

  it("is left alone when it is unknown whether its launcher lives", () => {
    expect(judge({}, { launcherAlive: null })).toMatchObject({ state: "preparing", reachable: false });
  });
});
