import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findOwnProcesses } from "../support/own-processes.ts";
import { waitFor } from "../support/wait-for.ts";
import { useWandbProject } from "../support/wandb-project.ts";
import { useWandbServer } from "../support/wandb-server.ts";

const project = useWandbProject();
const server = useWandbServer();
const { configure, addScript, run, ask, path } = project;
const KEY = "0123456789abcdef0123456789abcdef01234567";
const ON = ["wandb: true", "wandb_project: digits", "wandb_entity: team"];

const writeNetrc = (url: string, key = KEY) => {
  const home = join(project.sortie.temp(), "person");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, ".netrc"), `machine ${new URL(url).host}\n  login user\n  password ${key}\n`);
};
const launchOffline = async (url: string, script: string) => {
  const more = { WANDB_BASE_URL: url, WANDB_MODE: "offline" };
  const done = await run(["--yes", "--name", script.replace(".py", "")], ["python", script], more);
  expect(done).toMatchObject({ exit: 0 });
  return done.run.id as string;
};

it("sends offline runs by the real client, side by side, tells each, and deletes nothing", async () => {
  configure(...ON, "results: wandb/");
  for (const name of ["one.py", "two.py", "three.py"]) addScript("mnist_argparse.py", name);
  const url = await server.start();
  const ids = [];
  for (const name of ["one.py", "two.py", "three.py"]) ids.push(await launchOffline(url, name));
  const [one = "", two = "", three = ""] = ids;
  server.refused.add(two);
  const more = { WANDB_BASE_URL: url };
  const stranger = await ask(["wandb", "sync", one], more);
  expect(stranger).toMatchObject({ exit: 1, runs: [{ reason: expect.stringContaining("No API key") }] });
  const show = async () => (await project.sortie.run(["show", one])).stdout;
  expect(await show()).toContain("  W&B        offline; once sent: ");
  writeNetrc(url);

  const first = await ask(["wandb", "sync"], more);
  expect(first.exit).toBe(1);
  const byId = Object.fromEntries(first.runs.map((each: { id: string }) => [each.id, each]));
  expect(byId[one]).toMatchObject({ run: "one", state: "sent", reason: null });
  expect(byId[three]).toMatchObject({ run: "three", state: "sent" });
  expect(byId[two]).toMatchObject({ state: "failed", reason: expect.stringMatching(/401/) });
  expect(JSON.stringify(first)).not.toContain(KEY);
  expect(readdirSync(byId[one].folder).some((name) => name.endsWith(".wandb"))).toBe(true);
  expect(server.files["wandb-summary.json"]).toContain("train/loss");

  // A lost database is rebuilt, and what was logged to is still known.
  for (const end of ["", "-wal", "-shm"])
    rmSync(join(project.sortie.home(), `sortie.db${end}`), { force: true });
  expect(await ask(["adopt"])).toMatchObject({ exit: 0 });
  server.refused.clear();
  const again = await ask(["wandb", "sync", one, "two"], more);
  expect(again).toMatchObject({ exit: 0, runs: expect.arrayContaining([expect.anything()]) });
  const states = again.runs.map(({ id, state }: { id: string; state: string }) => [id, state]);
  expect(Object.fromEntries(states)).toEqual({ [one]: "sent_before", [two]: "sent" });
  const told = await project.sortie.run(["wandb", "sync", "three"], { env: { ...project.env, ...more } });
  expect(told.stdout).toMatch(/^three {2}sent before {2}\//);
  expect(await show()).toContain(`  W&B        ${url}/team/digits/runs/${one}\n`);
  expect(told.exitCode).toBe(0);
});

it("goes online where the host is logged in and the server answers, and brings curves home", async () => {
  configure("wandb: true", "wandb_project: digits");
  addScript();
  const url = await server.start();
  writeNetrc(url);
  const more = { WANDB_BASE_URL: url, WANDB_SILENT: "false" };
  const { plan } = await run([], ["python", "train.py"], more);
  expect(plan.terms.wandb).toMatchObject({ mode: "online", login: "netrc", carried: [] });
  expect(plan.terms.sideEffects).toContain(
    `send metrics to ${url}, to the W&B project digits, as ${plan.terms.name}`,
  );
  const done = await ask(["confirm", plan.id], more);
  expect(done).toMatchObject({ exit: 0, run: { state: "succeeded" } });
  expect(server.calls.some((call) => call.path === `/files/team/digits/${done.run.id}/file_stream`)).toBe(
    true,
  );

  const link = `${url}/team/digits/runs/${done.run.id}`;
  expect((await ask(["show", done.run.id])).wandb.link).toBe(link); // W&B has printed whose it is
  expect(await ask(["wandb", "sync", done.run.id], more)).toMatchObject({
    runs: [{ state: "failed", reason: "it was sent while it ran" }],
  });
  const missing = await ask(["wandb", "pull", done.run.id], more);
  expect(missing).toMatchObject({ exit: 2, error: { code: "wandb_run_missing" } });
  const rows = Array.from({ length: 2500 }, (_, step) => ({ _step: step, "train/loss": 1 / (step + 1) }));
  const facts = {
    displayName: "a run",
    state: "finished",
    summaryMetrics: '{"train/loss":0.0004,"bad":NaN}',
  };
  for (const isEndTold of [true, false]) {
    server.kept.set(done.run.id, { ...facts, rows, isEndTold });
    server.calls.length = 0;
    const pulled = await ask(["wandb", "pull", done.run.id], more);
    expect(pulled).toMatchObject({ exit: 0, link, rows: 2500, isCut: false, state: "finished" });
    const kept = JSON.parse(readFileSync(pulled.file, "utf8"));
    expect(kept.history).toEqual(rows);
    expect(kept.summary).toEqual({ "train/loss": 0.0004, bad: "NaN" });
    expect(server.calls).toHaveLength(isEndTold ? 4 : 5);
    expect(new Set(server.calls.map(({ authorization }) => authorization))).toEqual(
      new Set([`Basic ${Buffer.from(`api:${KEY}`).toString("base64")}`]),
    );
    expect((await ask(["show", done.run.id])).wandb.link).toBe(link);
    expect(existsSync(join(project.sortie.home(), "runs", done.run.id, "wandb.json"))).toBe(true);
  }
  const shown = await project.sortie.run(["show", done.run.id]);
  expect(shown.stdout).toContain(`W&B        ${url}/team/digits/runs/${done.run.id}`);
});

it("says why nothing can be sent or pulled", async () => {
  configure(...ON);
  addScript();
  const plain = await run(["--yes"], ["true"], { WANDB_MODE: "disabled" });
  const id = plain.run.id as string;
  expect(await ask(["wandb", "sync", id])).toMatchObject({
    ...{ exit: 1, runs: [{ state: "failed", reason: "it left no offline run of W&B's" }] },
  });
  expect(await ask(["wandb", "pull", id])).toMatchObject({ exit: 2, error: { code: "wandb_login_missing" } });
  const away = await ask(["wandb", "pull", id], { WANDB_API_KEY: KEY });
  expect(away).toMatchObject({ exit: 5, error: { code: "wandb_away", retryable: true } });
  expect(JSON.stringify(away)).not.toContain(KEY);
  configure();
  const off = await run(["--yes"], ["true"]);
  expect(await ask(["wandb", "sync", off.run.id])).toMatchObject({ error: { code: "wandb_not_logged" } });
  expect(await ask(["wandb", "sync"])).toMatchObject({ exit: 0, runs: [] });
  expect(existsSync(path("wandb"))).toBe(false);
});

it("leaves no upload running when it is killed with signal 9", async () => {
  const bin = join(project.sortie.temp(), "bin");
  const begun = join(bin, "begun");
  mkdirSync(bin);
  const upload = '#!/bin/sh\ncd "$(dirname "$0")"\necho $$ >begun.new\nmv begun.new begun\nsleep 300\n';
  writeFileSync(join(bin, "wandb"), upload, { mode: 0o755 });
  writeFileSync(join(bin, "python"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const section = ["gpu: local", `python: \`${join(bin, "python")}\``, ...ON];
  writeFileSync(path("AGENTS.md"), `## Local Environment\n${section.map((line) => `- ${line}\n`).join("")}`);
  const keep = 'mkdir -p "wandb/offline-run-1-$WANDB_RUN_ID"';
  expect(await run(["--yes"], ["sh", "-c", keep], { WANDB_MODE: "offline" })).toMatchObject({ exit: 0 });

  const sync = project.sortie.start(["wandb", "sync"], project.env);
  await waitFor(() => existsSync(begun), { what: "an upload" });
  const uploadPid = Number(readFileSync(begun, "utf8"));
  const isRunning = () => findOwnProcesses().some(({ pid }) => pid === uploadPid);
  expect(isRunning()).toBe(true);
  sync.kill("SIGKILL");
  await waitFor(() => !isRunning(), { what: "the end of the upload" });
});
