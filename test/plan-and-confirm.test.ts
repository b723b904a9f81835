import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeGpus, makeFakeUuid } from "./support/fake-gpus.ts";
import { SORTIE, useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const planned = [
  "run",
  "--target",
  "local",
  "--",
  "sh",
  "-c",
  "echo ran; mkdir -p results; echo 1 >results/one",
];

describe("a plan", () => {
  it("does nothing without a yes: exit 3, the plan, and how to confirm it", async () => {
    const document = await sortie.ask(planned);
    expect(document).toMatchObject({ exitCode: 3, schema: 1, confirm: `sortie confirm ${document.plan.id}` });
    expect(Object.keys(document.plan)).toEqual(
      expect.arrayContaining(["id", "terms", "restsOn", "notes", "createdAt", "expiresAt", "hash"]),
    );
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
    expect(existsSync(join(sortie.home(), "jobs"))).toBe(false);
    expect(readdirSync(sortie.project())).toEqual([]);
  });

  it("is printed for people on stdout, and what to do on stderr", async () => {
    const outcome = await sortie.run(planned);
    expect(outcome.exitCode).toBe(3);
    expect(outcome.stdout).toContain("Plan p");
    expect(outcome.stdout).toContain("command   sh -c 'echo ran;");
    expect(outcome.stderr).toMatch(/sortie confirm p\w+/);
  });

  it("runs once when it is confirmed", async () => {
    const { plan } = await sortie.ask(planned);
    const first = await sortie.ask(["confirm", plan.id]);
    expect(first).toMatchObject({ exitCode: 0, plan: { id: plan.id }, run: { state: "succeeded" } });
    const second = await sortie.ask(["confirm", plan.id]);
    expect(second).toMatchObject({
      exitCode: 4,
      error: { code: "plan_used", details: { run: first.run.id } },
    });
    expect((await sortie.ask(["ls"])).runs).toHaveLength(1);
  });

  it("is got by one of two who confirm it at the same time", async () => {
    const { plan } = await sortie.ask(planned);
    const both = await Promise.all([sortie.ask(["confirm", plan.id]), sortie.ask(["confirm", plan.id])]);
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 4]);
    expect((await sortie.ask(["ls"])).runs).toHaveLength(1);
  });

  it("is another plan when the same is asked twice", async () => {
    const [one, other] = [await sortie.ask(planned), await sortie.ask(planned)];
    expect(one.plan.id).not.toBe(other.plan.id);
    expect(one.plan.terms.name).not.toBe(other.plan.terms.name);
  });
});

describe("L55 a plan whose ground has changed is refused, and nothing is done", () => {
  const expectStale = async (id: string, why: RegExp, env = {}) => {
    const answer = await sortie.ask(["confirm", id], { env });
    expect(answer).toMatchObject({ exitCode: 4, error: { code: "plan_stale" } });
    expect(answer.error.message).toMatch(why);
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
  };

  it("L55 when the code changed", async () => {
    writeFileSync(join(sortie.project(), "train.py"), "print(1)\n");
    const { plan } = await sortie.ask(planned);
    appendFileSync(join(sortie.project(), "train.py"), "print(2)\n");
    await expectStale(plan.id, /code changed/);
  });

  it("L55 but not by what the command itself prints into the folder, nor by a neighbour's log", async () => {
    const shell = async (line: string) =>
      sortie.runner.run(["sh", "-c", line, "sh", process.execPath, SORTIE], {
        env: sortie.makeEnv(),
        cwd: sortie.project(),
        timeoutMs: 60_000,
      });
    const flags = "--target local --name mine --json";
    expect((await shell(`"$1" "$2" run ${flags} -- true >plan.json`)).exitCode).toBe(3);
    appendFileSync(join(sortie.project(), "train.log"), "one more line\n");
    const { plan } = JSON.parse(readFileSync(join(sortie.project(), "plan.json"), "utf8"));
    expect(await shell(`"$1" "$2" confirm ${plan.id} --json >confirmed.txt`)).toMatchObject({ exitCode: 0 });
    expect(await shell(`"$1" "$2" run ${flags} --yes -- true >out.txt 2>&1`)).toMatchObject({ exitCode: 0 });
  });

  it("L55 when the target's section changed, but not when the text around it did", async () => {
    const file = join(sortie.project(), "AGENTS.md");
    const section = "## Local Environment\n- gpu: local\n- results: out/\n";
    writeFileSync(file, `# Project\n\n${section}`);
    const inGit = { env: { GIT_CEILING_DIRECTORIES: sortie.temp() } };
    const { plan } = await sortie.ask(["run", "--", "true"], inGit);
    expect(plan.terms.request.results).toEqual(["out/"]);
    writeFileSync(file, `# Project\n\n${section.replace("out/", "other/")}`);
    await expectStale(plan.id, /local-environment is configured differently/);
  });

  it("L55 when a setting of Sortie's own config.yaml changed", async () => {
    mkdirSync(sortie.home(), { recursive: true });
    const file = join(sortie.home(), "config.yaml");
    writeFileSync(file, "grace: 10\n");
    const { plan } = await sortie.ask(planned);
    expect(plan.terms.request.graceS).toBe(10);
    writeFileSync(file, "grace: 20\n");
    await expectStale(plan.id, /configured differently/);
  });

  it("L55 when the GPU was taken, but another one of its kind will do", async () => {
    const fake = makeFakeGpus(sortie.temp(), { gpus: [{}, {}] });
    const options = { env: fake.env };
    const { plan } = await sortie.ask(["run", "--target", "local", "--", "true"], options);
    expect(plan.terms.gpus).toMatchObject({ count: 1, preferred: [makeFakeUuid(0)] });
    fake.changeGpu(0, { memoryUsed: 9000 });
    const confirmed = await sortie.ask(["confirm", plan.id], options);
    expect(confirmed).toMatchObject({ exitCode: 0, run: { gpus: [makeFakeUuid(1)] } });
  });

  it("L55 when no GPU of its kind is free any more", async () => {
    const fake = makeFakeGpus(sortie.temp(), { gpus: [{}, { name: "Tesla T4" }] });
    const { plan } = await sortie.ask(["run", "--target", "local", "--", "true"], { env: fake.env });
    fake.changeGpu(0, { memoryUsed: 9000 });
    await expectStale(plan.id, /none is free/, fake.env);
  });

  it("L55 when its name was taken meanwhile", async () => {
    const { plan } = await sortie.ask(["run", "--target", "local", "--name", "mine", "--", "true"]);
    await sortie.launch(["sleep", "60"], ["--name", "mine"]);
    const answer = await sortie.ask(["confirm", plan.id]);
    expect(answer).toMatchObject({ exitCode: 4, error: { code: "plan_stale" } });
  });
});

it("refuses misspelt options with the nearest one, and misspelt keys with a warning", async () => {
  const outcome = await sortie.run(["run", "--target", "local", "--timeuot", "5m", "--", "true"]);
  expect(outcome).toMatchObject({ exitCode: 2 });
  expect(outcome.stderr).toMatch(/--timeuot.*did you mean --timeout\?/i);
  writeFileSync(join(sortie.project(), "AGENTS.md"), "## Local Environment\n- gpu: local\n- reslts: out/\n");
  const { warnings } = await sortie.ask(["targets"]);
  expect(warnings[0]).toMatchObject({ line: 3, key: "reslts", nearest: "results" });
});

it("asks which target where there are several, and takes none by itself where there is none", async () => {
  const none = await sortie.ask(["run", "--yes", "--", "true"]);
  expect(none).toMatchObject({ exitCode: 2, error: { code: "target_missing" } });
  writeFileSync(
    join(sortie.project(), "AGENTS.md"),
    readFileSync("fixtures/config/example/AGENTS.md", "utf8"),
  );
  const several = await sortie.ask(["run", "--yes", "--", "true"]);
  expect(several).toMatchObject({ exitCode: 2, error: { code: "target_ambiguous" } });
  for (const name of ["remote-server", "vast-ai", "modal", "local-environment"])
    expect(several.error.message).toContain(name);
});

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends only the watching of a run", async (signal, exitCode) => {
  const child = sortie.start(["run", "--target", "local", "--yes", "--name", "mine", "--", "sleep", "300"]);
  await sortie.waitForState("mine", ["running"]);
  child.kill(signal);
  expect(await child.exitCode).toBe(exitCode);
  expect(await sortie.show("mine")).toMatchObject({ state: "running" });
});

it("leaves a --json that belongs to the command to the command", async () => {
  const flags = ["run", "--target", "local", "--yes"];
  const outcome = await sortie.run([...flags, "printf", "%s\\n", "--json"]);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.stdout).toMatch(/^Plan [\s\S]*\n--json\n/);
});
