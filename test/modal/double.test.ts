import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import {
  fetchVolumeFolder,
  listApps,
  listSecrets,
  listVolumes,
  loadAppLog,
  loadWorkspace,
  stopApp,
} from "../../src/targets/modal/ask-modal.ts";
import { judgeOutput } from "../../src/targets/modal/judge-output.ts";
import { makeLauncher } from "../../src/targets/modal/launcher/make-launcher.ts";
import { checkFetched } from "../../src/targets/modal/manifest.ts";
import type { ModalWish } from "../../src/targets/modal/modal-wish.ts";
import { findVolumeFolder, nameApp } from "../../src/targets/modal/name-run.ts";
import { makeRunArguments, readRunOutput } from "../../src/targets/modal/run-modal.ts";
import { useModal } from "../support/modal/modal-stage.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { waitFor } from "../support/wait-for.ts";

const modal = useModal();
const folder = useTempFolder();
const RUN = "r0123456789";
const VOLUME = "experiment-results";

const wish = (parts: Partial<ModalWish>): ModalWish => ({
  ...{ runId: RUN, command: ["python3", "train.py", "it's", ""], codeDir: join(folder(), "code") },
  ...{ leftOut: ["data"], gpus: ["T4"], timeoutS: 60, volume: VOLUME, secrets: ["wandb-secret"] },
  ...{ image: { from: "plain", base: null }, envNames: ["SEED"], results: ["results/"], ...parts },
});

const program = () => ({ runner: makeLocalRunner(), env: modal.env(), cwd: folder() });

function writeCode(name: string, lines: readonly string[]) {
  mkdirSync(join(folder(), "code"), { recursive: true });
  writeFileSync(join(folder(), "code", name), lines.join("\n"));
}

/** Starts `modal run`, as a supervisor does, and answers the process and what it has printed. */
function start(call: Partial<Parameters<typeof makeRunArguments>[0]>, launcher?: string) {
  const file = join(folder(), "launcher.py");
  if (launcher !== undefined) writeFileSync(file, launcher);
  const common = {
    app: file,
    function: null,
    args: [],
    takes: "any",
    detach: true,
    name: nameApp(RUN),
  } as const;
  const [name = "", ...args] = makeRunArguments({ ...common, ...call });
  const env = { ...modal.env(), SEED: "7", HOME_ONLY: "1" };
  const child = spawn(name, args, { cwd: join(folder(), "code"), env, stdio: ["ignore", "pipe", "pipe"] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => printed.push(chunk));
  return { child, ended: once(child, "close"), read: () => Buffer.concat(printed).toString() };
}

test("runs a launcher once, keeps its results on the volume, and fetches them whole", async () => {
  modal.setAccount({ secrets: { "wandb-secret": { WANDB_API_KEY: "k" } } });
  modal.addVolume(VOLUME);
  expect(await loadWorkspace(program())).toBe("me");
  expect([await listSecrets(program()), await listVolumes(program())]).toEqual([["wandb-secret"], [VOLUME]]);
  writeCode(".env", ["SECRET=1"]);
  writeCode("train.py", [
    "import json, os, pathlib, sys",
    "names = ['SEED', 'WANDB_API_KEY', 'HOME_ONLY']",
    "seen = [sys.argv[1:], [os.environ.get(name) for name in names], sorted(os.listdir())]",
    "pathlib.Path('results').mkdir()",
    "pathlib.Path('results/seen.json').write_text(json.dumps(seen))",
    "print('trained')",
    "sys.exit(3)",
  ]);

  const run = start({}, makeLauncher(wish({})));
  expect((await run.ended)[0], run.read()).toBe(3);

  const { appId } = readRunOutput(run.read());
  expect(run.read()).toContain("trained");
  const [app, ...others] = await listApps(program());
  expect([app?.id, app?.name, app?.state, others]).toEqual([appId, nameApp(RUN), "stopped", []]);
  const terms = { gpu: "T4", timeout: 180, secrets: ["wandb-secret"], volumes: { "/sortie-volume": VOLUME } };
  expect(modal.listApps()[0]?.functions).toMatchObject([terms]);

  const to = join(folder(), "home");
  mkdirSync(to);
  const fetch = () => fetchVolumeFolder(program(), { volume: VOLUME, path: findVolumeFolder(RUN), to });
  const check = () => checkFetched(join(to, RUN), { runId: RUN, volume: VOLUME });
  modal.setFaults({ get: { path: "seen.json", body: '{"error": "try later"}' } });
  await fetch();
  await expect(check()).rejects.toMatchObject({ code: "modal_results_broken" });
  await fetch();
  expect((await check()).exit).toMatchObject({ exitCode: 3, reason: "exited" });
  const seen = readFileSync(join(to, RUN, "code/results/seen.json"), "utf8");
  expect(JSON.parse(seen)).toEqual([["it's", ""], ["7", "k", null], ["train.py"]]);
});

test("a detached run goes on without its caller, and saves when its machine is taken away or the app is stopped", async () => {
  modal.addVolume(VOLUME);
  writeCode("train.py", [
    "import os, pathlib, signal, sys, time",
    "saved = pathlib.Path(os.environ['SORTIE_RESULTS_DIR'], 'saved')",
    "def save(*_): saved.open('a').write('saved '); sys.exit(1)",
    "signal.signal(signal.SIGTERM, save)",
    "print('at work', flush=True)",
    "time.sleep(60)",
  ]);
  modal.setFaults({ run: { preemptAfter: "at work" } });
  const run = start({}, makeLauncher(wish({ secrets: [] })));
  await waitFor(() => run.read().includes("at work"), { what: "the start" });
  run.child.kill("SIGKILL");
  await run.ended;
  const { appId } = readRunOutput(run.read());
  expect((await listApps(program()))[0]).toMatchObject({ id: appId, state: "running", tasks: 1 });
  const saved = modal.findOnVolume(VOLUME, findVolumeFolder(RUN), "results", "saved");
  const starts = modal.findOnVolume(VOLUME, findVolumeFolder(RUN), "starts");
  const read = (file: string) => waitFor(() => readFileSync(file, "utf8"));
  const log = () => loadAppLog(program(), appId as string, 50);
  await waitFor(async () => (await log()).split("at work").length === 3, { what: "the second start" });
  expect([await read(saved), (await read(starts)).trim().split("\n").length]).toEqual(["saved ", 2]);
  await stopApp(program(), appId as string);
  expect(await read(saved)).toBe("saved saved ");
  expect((await listApps(program()))[0]?.state).toBe("stopped");
});

test("passes arguments as the real program does, and fails in its words", async () => {
  writeCode("app.py", [
    "import modal",
    "app = modal.App('own')",
    "@app.function(gpu='T4')",
    "def train(epochs: int = 1): print('trained', epochs)",
    "@app.function()",
    "def any(*args): print('any', args)",
    "@app.function(secrets=[modal.Secret.from_name('missing')])",
    "def other(): pass",
  ]);
  const ask = async (call: object) => {
    const run = start({ app: "app.py", ...call });
    return { code: (await run.ended)[0], kind: judgeOutput(run.read())?.kind, text: run.read() };
  };
  const epochs = ["--epochs", "3"];
  expect(await ask({ function: "train", args: epochs, takes: "any" })).toMatchObject({
    code: 2,
    kind: "app",
  });
  expect(await ask({ function: "train" })).toMatchObject({ code: 1, kind: "secret" });
  modal.setAccount({ secrets: { missing: {} } });
  const trained = await ask({ function: "train", args: epochs, takes: "options" });
  expect(trained).toMatchObject({ code: 0, text: expect.stringContaining("trained 3") });
  modal.setFaults({ run: { connectionLost: true } });
  const left = await ask({ function: "any", args: ["--help", ""] });
  expect([left.code, readRunOutput(left.text).isLeft]).toEqual([0, true]);
  const calls = modal.listApps().flatMap(({ functions }) => functions);
  expect(calls.find(({ name }) => name === "any")?.args).toEqual(["--help", ""]);
  modal.setAccount({ isLoggedIn: false });
  await expect(loadWorkspace(program())).rejects.toMatchObject({ code: "modal_login_missing" });
  const nowhere = { ...program(), env: { PATH: folder() } };
  await expect(loadWorkspace(nowhere)).rejects.toMatchObject({ code: "modal_program_missing" });
});

test("has no option that the real program lacks", () => {
  const read = (argv: string[]) =>
    JSON.parse(execFileSync(argv[0] as string, argv.slice(1), { env: modal.env(), encoding: "utf8" }));
  const listReal = [
    "import json, click",
    "from modal.cli.entry_point import entrypoint_cli as cli",
    "def options(command): return [word for param in command.params for word in param.opts]",
    "groups = {name: group for name, group in cli.commands.items() if isinstance(group, click.Group)}",
    "print(json.dumps({f'{g} {c}': options(command) for g, group in groups.items()",
    "    for c, command in getattr(group, 'commands', {}).items()}))",
  ].join("\n");
  const real: Record<string, string[]> = read([resolve(".venv/bin/python"), "-c", listReal]);
  const double: Record<string, string[]> = read(["modal", "--options"]);
  for (const [command, options] of Object.entries(double)) {
    expect(real[command], command).toEqual(expect.arrayContaining(options));
  }
});
