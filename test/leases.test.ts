import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FakeGpus, type FakeGpusSpec, makeFakeGpus, makeFakeUuid } from "./support/fake-gpus.ts";
import { findTool } from "./support/shells.ts";
import { useSortie } from "./support/sortie.ts";
import { waitFor } from "./support/wait-for.ts";
import { findWatcherPid } from "./support/watcher-pid.ts";

const sortie = useSortie();
const [FIRST, SECOND] = [makeFakeUuid(0), makeFakeUuid(1)];
/** Higher than any process number of Linux. */
const NO_PID = 4_194_305;
/** A program that allocates nothing for a long while: its GPU looks free all the time. */
const SLOW = ["sh", "-c", "echo loading; exec sleep 300"];

const makeHost = (spec: FakeGpusSpec = {}) => makeFakeGpus(sortie.temp(), spec);
const makeCall = (flags: readonly string[], command: readonly string[] = SLOW) => [
  ...["run", "--target", "local", "--yes", "--detach", "--grace", "1", ...flags],
  ...["--", ...command],
];
const stateOf = async (id: string): Promise<string> => (await sortie.show(id)).state;
const readWatcher = () => findWatcherPid(sortie.home());
const readStates = async ({ env }: FakeGpus) =>
  (await sortie.ask(["gpus"], { env })).gpus.map((gpu: { state: string }) => gpu.state);

describe("L17 two launchers started together, one free GPU, a program that allocates late", () => {
  it.each([
    ["of one person", "sortie home"],
    ["of two persons", "other home"],
  ])("L17 %s: one gets it, the other is refused and told who holds it", async (_, home) => {
    const fake = makeHost();
    const other = { ...fake.env, SORTIE_HOME: join(sortie.temp(), home) };
    const both = await Promise.all([
      sortie.ask(makeCall([]), { env: fake.env }),
      sortie.ask(makeCall([]), { env: other }),
    ]);
    const [winner, loser] = both.sort((one, two) => one.exit - two.exit);
    expect(winner).toMatchObject({ exit: 0, run: { state: "running", gpus: [FIRST] } });
    expect(loser).toMatchObject({ exit: 5, error: { retryable: true } });
    expect(loser.error.message).toContain(winner.run.id);
    // Long before the program has allocated anything, everyone can see whose it is.
    const { gpus } = await sortie.ask(["gpus"], { env: fake.env });
    expect(gpus).toMatchObject([{ state: "leased", memoryUsedMiB: 4, lease: { run: winner.run.id } }]);
    const late = await sortie.ask(makeCall([]), { env: other });
    expect(late).toMatchObject({ exit: 5, error: { code: "gpus_busy" } });
    expect(late.error.message).toContain(winner.run.id);
  });

  it("L17 with --wait-gpu the other waits, and is started when the first ends, though the watcher was killed", async () => {
    const { env } = makeHost();
    const both = await Promise.all([1, 2].map(() => sortie.ask(makeCall(["--wait-gpu"]), { env })));
    expect(both.map(({ exit, run }) => `${exit} ${run.state}`).sort()).toEqual(["0 running", "0 waiting"]);
    const [winner, loser] = both.map(({ run }) => run).sort((one) => (one.state === "running" ? -1 : 1));
    const waiting = await sortie.show(loser.id);
    expect(waiting).toMatchObject({ state: "waiting", startedAt: null, pid: null, gpus: [] });
    expect(waiting.waitingFor).toContain(winner.id);
    process.kill(await waitFor(readWatcher, { what: "a watcher" }), "SIGKILL");
    expect(await sortie.ask(["stop", winner.id], { env })).toMatchObject({ exit: 0, state: "stopped" });
    const started = await waitFor(async () => {
      const { runs } = await sortie.ask(["ls"], { env });
      return runs.find((run: { id: string; pid: number }) => run.id === loser.id && run.pid);
    });
    expect(started).toMatchObject({ state: "running", gpus: [FIRST], waitingFor: null });
  });
});

it("L17 the lease of a run whose processes were all killed is free again", async () => {
  const fake = makeHost();
  const run = await sortie.launch(SLOW, [], { env: fake.env });
  expect(await readStates(fake)).toEqual(["leased"]);
  const supervisor = readFileSync(join(run.jobFolder, "pid"), "utf8").match(/^supervisor=(\d+)$/m)?.[1];
  for (const pid of [Number(supervisor), run.pid]) process.kill(pid, "SIGKILL");
  await waitFor(async () => (await readStates(fake))[0] === "free", { what: "the lease to be free" });
  expect(await sortie.show(run.id)).toMatchObject({ state: "lost", endReason: "supervisor_killed" });
  expect(await sortie.launch(SLOW, [], { env: fake.env })).toMatchObject({ state: "running", gpus: [FIRST] });
});

describe("a GPU that is taken between the plan and the start", () => {
  it("is replaced by the next equal one", async () => {
    const env = makeThief(makeHost({ gpus: [{}, {}] }));
    expect(await sortie.launch(SLOW, [], { env })).toMatchObject({ state: "running", gpus: [SECOND] });
  });

  it("ends the run where the person named it: failed, gpu_taken, saying who has it", async () => {
    const env = makeThief(makeHost({ gpus: [{}, {}] }));
    const refused = await sortie.ask(makeCall(["--gpu", "0"]), { env });
    expect(refused).toMatchObject({ exit: 5, error: { code: "gpu_taken", retryable: true } });
    expect(refused.error.message).toMatch(/by run r0ther of anna since 2026/);
    const [run] = (await sortie.ask(["ls"])).runs;
    expect(run).toMatchObject({
      state: "failed",
      endReason: "gpu_taken",
      exitCode: null,
      pid: null,
      gpus: [],
    });
    expect(run.evidence).toContain("r0ther of anna");
    expect(existsSync(run.log)).toBe(false);
  });

  it("is waited for with --wait-gpu", async () => {
    const env = makeThief(makeHost());
    const run = await sortie.launch(["true"], ["--wait-gpu"], { env });
    expect(run).toMatchObject({ state: "waiting" });
    expect((await sortie.show(run.id)).waitingFor).toContain("r0ther of anna");
    process.kill(Number(readFileSync(join(sortie.temp(), "thief"), "utf8")), "SIGKILL");
    expect(await sortie.waitForState(run.id, ["succeeded"])).toMatchObject({ gpus: [FIRST] });
  });
});

it("a stop says what holds memory of its GPU still, with exit 1", async () => {
  const fake = makeHost();
  const run = await sortie.launch(SLOW, ["--grace", "1"], { env: fake.env });
  fake.changeGpu(0, { memoryUsed: 70_000 });
  fake.setProcesses([{ gpuUuid: FIRST, pid: NO_PID, memory: 69_000 }]);
  const left = await sortie.ask(["stop", run.id], { env: fake.env });
  expect(left).toMatchObject({ exit: 1, error: { code: "stop_incomplete" } });
  expect(left.error.message).toContain(`70000 MiB on ${FIRST}`);
  expect(await stateOf(run.id)).toBe("stopped");
  fake.changeGpu(0, { memoryUsed: 4 });
  expect(await sortie.ask(["stop", run.id], { env: fake.env })).toMatchObject({
    exit: 0,
    wasEnded: true,
  });
});

/** An environment where someone else takes the first GPU just before the supervisor is started, by a \`screen\` of its own. */
function makeThief(fake: FakeGpus): Record<string, string> {
  const programs = join(sortie.temp(), "thief-programs");
  const lease = join(fake.leaseFolder, `${FIRST}.lease`);
  for (const folder of [programs, fake.leaseFolder]) mkdirSync(folder, { recursive: true });
  chmodSync(fake.leaseFolder, 0o1777);
  writeFileSync(lease, "run=r0ther\nuser=anna\nsince=2026-01-01T00:00:00Z\n", { mode: 0o666 });
  const script = `#!/bin/sh
if [ ! -e "$THIEF" ]; then
  setsid flock "$LEASE" sh -c 'echo $$ >"$THIEF.new"; mv "$THIEF.new" "$THIEF"; exec sleep 300' </dev/null >/dev/null 2>&1 &
  until [ -e "$THIEF" ]; do sleep 0.01; done
fi
exec ${findTool("screen")} "$@"
`;
  writeFileSync(join(programs, "screen"), script, { mode: 0o755 });
  const PATH = `${programs}${delimiter}${fake.env["PATH"]}`;
  return { ...fake.env, PATH, LEASE: lease, THIEF: join(sortie.temp(), "thief") };
}
