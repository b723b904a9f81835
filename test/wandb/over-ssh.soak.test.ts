import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CHECKOUT } from "../support/contestant.ts";
import { useServerStage } from "../support/server-stage.ts";
import { useSshd } from "../support/sshd.ts";
import { PYTHON_WITH_WANDB } from "../support/wandb-project.ts";
import { useWandbServer } from "../support/wandb-server.ts";

const sshd = useSshd();
const stage = useServerStage(sshd);
const server = useWandbServer();
const SENTINEL = "5e47111e15e47111e15e47111e15e47111e15e47";
const codeDir = () => join(stage.temp(), "host code");
const bare = () => join(stage.temp(), "the remote.git");
const SCRIPT = readFileSync(join(CHECKOUT, "fixtures", "scripts", "mnist_argparse.py"), "utf8");
const CALL = ["run", "--gpus", "none", "--env", `PYTHONPATH=${join(CHECKOUT, "fixtures", "stand-ins")}`];
const COMMAND = ["--", "python", "train.py"];

const makeEnv = (url: string, more = {}) => ({
  ...{ WANDB_BASE_URL: url, WANDB_API_KEY: undefined, WANDB_ERROR_REPORTING: "false" },
  ...{ GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: join(stage.temp(), "gitconfig"), ...more },
});
const writeProject = (...lines: string[]) => {
  stage.write({ "train.py": SCRIPT });
  stage.write(
    { gitconfig: "[user]\nname=T\nemail=t@example.org\n[init]\ndefaultBranch=main\n" },
    stage.temp(),
  );
  const keys = [`Code dir: \`${codeDir()}\``, `python: \`${PYTHON_WITH_WANDB}\``, "wandb: true"];
  stage.writeSection(
    [...keys, "wandb_project: digits", "wandb_entity: team", ...lines].map((key) => `- ${key}`),
  );
};
/** Files below a folder that hold the key. */
const listHolders = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter(
      (path) => statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).includes(SENTINEL),
    );

it("sends the changed script, carries the key, logs online there, and leaves the key nowhere", async () => {
  writeProject();
  const url = await server.start();
  const env = makeEnv(url, { WANDB_API_KEY: SENTINEL });
  const planned = await stage.ask([...CALL, ...COMMAND], { env });
  expect(planned.plan.terms.wandb).toMatchObject({
    ...{ mode: "online", login: "caller", carried: ["WANDB_API_KEY"], change: { name: "train.py" } },
    version: expect.stringMatching(/^\d/),
  });
  expect(JSON.stringify(planned)).not.toContain(SENTINEL);
  const { run } = await stage.ask(["confirm", planned.plan.id, "--detach"], { env });
  const shown = await stage.finish(run.id, { env });
  expect(shown).toMatchObject({ state: "succeeded", wandb: { mode: "online", id: run.id } });
  // Its numbers come home too: what the server did not get is sent from here.
  const sender = expect.stringMatching(/^wandb\/run-.*\/logs\/debug-internal\.log$/);
  const numbers = expect.stringMatching(/^wandb\/run-.*\/run-.*\.wandb$/);
  const paths = shown.results.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(expect.arrayContaining([sender, numbers]));
  expect(shown.notes.join()).not.toMatch(/not all of it was sent/);
  const written = readFileSync(join(stage.project(), "train.py"), "utf8");
  expect(written).toContain("# sortie-wandb");
  expect(readFileSync(join(codeDir(), "train.py"), "utf8")).toBe(written);
  expect(server.calls.map(({ path }) => path)).toContain(`/files/team/digits/${run.id}/file_stream`);
  for (const folder of [stage.home(), codeDir(), sshd().hostHome]) expect(listHolders(folder)).toEqual([]);
});

it("keeps the run offline where nobody is logged in, brings it home, and sends it from there", async () => {
  writeProject("code_sync: git");
  const env = makeEnv("http://127.0.0.1:9");
  const git = async (...args: string[]) => {
    const outcome = await stage.runner.run(["git", ...args], {
      ...{ cwd: stage.project(), env: stage.makeEnv(env), timeoutMs: 20_000 },
    });
    if (outcome.exitCode !== 0) throw new Error(outcome.stderr);
    return outcome.stdout;
  };
  await git("init", "--quiet");
  await git("add", "-A");
  await git("commit", "--quiet", "-m", "first");
  await git("init", "--quiet", "--bare", bare());
  await git("remote", "add", "origin", bare());
  await git("push", "--quiet", "-u", "origin", "main");

  const planned = await stage.ask([...CALL, ...COMMAND], { env });
  const { terms } = planned.plan;
  expect(terms.wandb).toMatchObject({ mode: "offline", login: null });
  expect(terms.remote.sync.home.files).toMatchObject([{ path: "train.py", status: "changed" }]);
  expect(await git("status", "--porcelain")).toBe("");
  const { run } = await stage.ask(["confirm", planned.plan.id, "--detach"], { env });
  const shown = await stage.finish(run.id, { env });
  expect(shown).toMatchObject({ state: "succeeded", wandb: { mode: "offline" } });
  expect((await git("show", "--stat", "HEAD")).trim()).toMatch(/train\.py \| +\d+ \+*\n 1 file changed/);
  expect(await git("rev-parse", "HEAD^{tree}")).toBe(`${terms.remote.sync.home.tree}\n`);

  const url = await server.start();
  const program = join(PYTHON_WITH_WANDB, "..");
  const more = { WANDB_API_KEY: SENTINEL, PATH: `${program}:${process.env["PATH"]}` };
  const sent = await stage.ask(["wandb", "sync", run.id], { env: makeEnv(url, more) });
  expect(sent).toMatchObject({ exit: 0, runs: [{ id: run.id, state: "sent" }] });
  expect(sent.runs[0].folder).toMatch(new RegExp(`/wandb/offline-run-.*-${run.id}$`));
  expect(sent.runs[0].folder.startsWith(shown.resultsFolder)).toBe(true);
});

it("leaves a script alone that does not get to the host", async () => {
  writeProject("sync_exclude: train.py");
  const { plan } = await stage.ask([...CALL, ...COMMAND], { env: makeEnv("http://127.0.0.1:9") });
  expect(plan.terms.wandb.change).toBeNull();
  expect(plan.notes.join()).toMatch(/train\.py is left as it is: it is not sent to the host/);
});
