import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeGpus, makeFakeUuid } from "./support/fake-gpus.ts";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const call = (...command: string[]) => [
  "run",
  "--target",
  "local",
  "--yes",
  "--name",
  "mine",
  "--",
  ...command,
];
const detached = (...command: string[]) => ["run", "--detach", ...call(...command).slice(1)];

describe("a run that fails at once", () => {
  const failing = detached("sh", "-c", "echo first; echo 'No space left on device' >&2; exit 3");

  it("is reported with its cause, its evidence and the end of its log", async () => {
    const { exitCode, stdout } = await sortie.run(failing);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/cause +The disk/);
    expect(stdout).toMatch(/log +\/.*\n +\| first\n +\| No space left on device\n/);
  });

  it("has them in its document too", async () => {
    const { exit, run } = await sortie.ask(failing);
    expect(exit).toBe(1);
    expect(run).toMatchObject({ state: "failed", endReason: "disk_full", exitCode: 3 });
    expect(run).toMatchObject({ cause: expect.any(String), evidence: "No space left on device" });
    expect(run.nextStep).toContain("sortie rerun mine");
  });
});

describe("the report of a launch", () => {
  const facts =
    /mine is running on this machine\.\n +command +sleep '?[\d.]+'?\n +GPU +GPU 0 \(.*\), GPU-0\S+ \(not yet used\)\n +process +\d+.*\n +log +\/.*\n +expected +unknown\n +next +sortie logs -f mine/;

  it.each([
    ["detached", detached("sleep", "60")],
    ["attached", call("sleep", "2.5")],
  ])("%s: command, GPU, process, log, expected and what comes next", async (_, args) => {
    const { env } = makeFakeGpus(sortie.temp(), { gpus: [{}] });
    const { stdout } = await sortie.run(args, { env });
    expect(stdout).toMatch(facts);
  });

  it("names the command and what to do also where the run waits", async () => {
    const { env } = makeFakeGpus(sortie.temp(), { gpus: [{ memoryUsed: 9000 }] });
    const args = detached("sleep", "60");
    const { stdout } = await sortie.run(["run", "--wait-gpu", ...args.slice(1)], { env });
    expect(stdout).toMatch(/mine waits for a GPU: .*\n +command +sleep 60\n +next +sortie show mine/);
    await sortie.run(["stop", "mine"]);
  });
});

it("a launch that fails has a cause, its evidence and what to do next", async () => {
  const text = "## Local Environment\n- gpu: local\n- job_dir: AGENTS.md\n";
  writeFileSync(join(sortie.project(), "AGENTS.md"), text);
  await sortie.run(["run", "--yes", "--name", "mine", "--", "true"]);
  const run = await sortie.show("mine");
  expect(run).toMatchObject({ state: "failed", endReason: "launch_failed", results: [] });
  expect(run).toMatchObject({ cause: expect.stringContaining("could not start the command") });
  expect(run.evidence).toContain("AGENTS.md");
  expect(run.nextStep).toMatch(/\S/);
});

describe("the host", () => {
  it("has its name in every document and record, and is this machine to a person", async () => {
    const { env } = makeFakeGpus(sortie.temp(), { gpus: [{}] });
    const { plan } = await sortie.ask(["run", "--target", "local", "--", "true"], { env });
    expect(plan.terms.target.host).toBe(hostname());
    expect((await sortie.run(["run", "--target", "local", "--", "true"], { env })).stdout).toMatch(
      /target +local, this machine$/m,
    );
    const { run } = await sortie.ask(["confirm", plan.id], { env });
    expect(run).toMatchObject({ host: hostname(), gpus: [makeFakeUuid(0)] });
    const read = (name: string) => readFileSync(join(run.jobFolder, name), "utf8");
    const version = (await sortie.run(["--version"])).stdout.replace("sortie ", "").trim();
    expect(JSON.parse(read("meta.json"))).toMatchObject({ sortie: version, target: { host: hostname() } });
    expect(read("pid")).toContain(makeFakeUuid(0));
    expect((await sortie.show(run.id)).host).toBe(hostname());
    expect((await sortie.run(["show", run.id])).stdout).toMatch(/target +local \(local\), this machine$/m);
    expect((await sortie.ask(["gpus"], { env })).host).toBe(hostname());
  });
});

it("shows the GPUs of a target whose lines are not trusted: it runs none of them", async () => {
  const text = "## Local Environment\n- gpu: local\n- Activate: `touch ran`\n- free_memory_mib: 1000\n";
  writeFileSync(join(sortie.project(), "AGENTS.md"), text);
  const { env } = makeFakeGpus(sortie.temp(), { gpus: [{ memoryUsed: 900 }] });
  const answer = await sortie.ask(["gpus", "--target", "local-environment"], { env });
  expect(answer).toMatchObject({ exitCode: 0, gpus: [{ state: "free" }] });
});
