import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeFakeGpus } from "../support/fake-gpus.ts";
import { useWandbProject } from "../support/wandb-project.ts";
import { useWandbServer } from "../support/wandb-server.ts";

const project = useWandbProject();
const server = useWandbServer();
const { configure, addScript, run, ask, path } = project;
const ON = ["wandb: true", "wandb_project: digits", "wandb_entity: team"];
const LOGIN = { WANDB_API_KEY: "0123456789abcdef0123456789abcdef01234567" };
/** A script with W&B of its own, which never calls `finish`. */
const OWN_SCRIPT = 'import sys\nimport wandb\nwandb.init()\nwandb.log({"loss": 0.5})\nsys.exit(3)\n';
const OWN = ["python", "own.py"];

it("L37 without a network: offline is decided before the start, the run ends, and it waits to be sent", async () => {
  configure(...ON);
  writeFileSync(path("own.py"), OWN_SCRIPT);
  const { plan } = await run([], OWN, LOGIN);
  expect(plan.terms.wandb).toMatchObject({ mode: "offline", variables: { WANDB_MODE: "offline" } });
  expect(plan.terms.wandb.variables).not.toHaveProperty("WANDB_FINISH_TIMEOUT");
  expect(plan.notes.join()).toMatch(/kept offline, as 127\.0\.0\.1:9 does not answer from there/);
  const { run: done } = await ask(["confirm", plan.id], LOGIN);
  expect(done).toMatchObject({ state: "failed", exitCode: 3 });
  const more = { ...LOGIN, WANDB_BASE_URL: await server.start() };
  expect(await ask(["wandb", "sync"], more)).toMatchObject({ runs: [{ id: done.id, state: "sent" }] });
});

it("L37 W&B accepts and hangs at the end: the run ends as its program did, its GPU is free, and the rest waits to be sent", async () => {
  configure(...ON);
  addScript();
  writeFileSync(path("own.py"), OWN_SCRIPT);
  const gpus = makeFakeGpus(project.sortie.temp(), { gpus: [{}, {}] });
  const online = { ...gpus.env, ...LOGIN, WANDB_BASE_URL: await server.start() };
  const { plan } = await run(["--gpus", "1"], OWN, online);
  expect(plan.terms.wandb).toMatchObject({ mode: "online", variables: { WANDB_FINISH_TIMEOUT: "120" } });

  const ids = { written: "rwritten", own: "rown" };
  for (const id of Object.values(ids)) server.held.add(id);
  const launch = (id: string, command: string[]) =>
    run(["--yes", "--gpus", "1"], command, { ...online, WANDB_FINISH_TIMEOUT: "2", WANDB_RUN_ID: id });
  const done = await Promise.all([launch(ids.written, ["python", "train.py"]), launch(ids.own, OWN)]);
  expect(done.map(({ run: { state, exitCode } }) => [state, exitCode])).toEqual([
    ["succeeded", 0],
    ["failed", 3],
  ]);
  const states = (await ask(["gpus"], gpus.env)).gpus.map((gpu: { state: string }) => gpu.state);
  expect(states).toEqual(["free", "free"]);
  for (const { run: ended } of done) {
    const { notes } = await ask(["show", ended.id]);
    expect(notes.at(-1)).toBe(
      `W&B: not all of it was sent before the end; \`sortie wandb sync ${ended.name}\` sends it`,
    );
  }

  server.held.clear();
  const sent = await ask(["wandb", "sync"], online);
  expect(sent.runs.map(({ state }: { state: string }) => state)).toEqual(["sent", "sent"]);
});
