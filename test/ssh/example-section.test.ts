import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFakeConda } from "../support/fake-conda.ts";
import { useSortie } from "../support/sortie.ts";
import { useSshd } from "../support/sshd.ts";
import { waitFor } from "../support/wait-for.ts";

const sortie = useSortie();
const sshd = useSshd();
const digits = join(import.meta.dirname, "..", "..", "examples", "digits");

/** The section of the user's own example, for a host that is there: its alias, conda and code folder. */
function writeSection(alias: string) {
  const conda = makeFakeConda(join(sshd().hostHome, `conda-${alias}`), ["research"]);
  const codeDir = join(sshd().hostHome, "experiments");
  const lines = [
    "## Remote Server",
    `- SSH: \`ssh ${alias}\``,
    "- GPU: 4x A100 (80GB each)",
    `- Conda: \`eval "$(${conda} shell.bash hook)" && conda activate research\``,
    `- Code dir: \`${codeDir}/\``,
    '- code_sync: rsync          # default. Or set to "git" for git push/pull workflow',
    '- wandb: false              # set to "true" to auto-add W&B logging to experiment scripts',
    "- wandb_project: my-project # W&B project name (required if wandb: true)",
    "- wandb_entity: my-team     # W&B team/user (optional, uses default if omitted)",
    "",
  ];
  writeFileSync(join(sortie.project(), "AGENTS.md"), lines.join("\n"));
  return codeDir;
}

function copyDigits() {
  for (const name of readdirSync(digits)) {
    if (name !== "results") cpSync(join(digits, name), join(sortie.project(), name), { recursive: true });
  }
}

/** The alias of the example, known in the person's configuration. */
function addServer() {
  sshd().addConfig(`Host my-gpu-server\n  HostName 127.0.0.1\n  Port ${sshd().port}\n  User root`);
}

it("the example runs on a server that the person's ssh knows, is watched over three cuts, and comes home", async () => {
  addServer();
  copyDigits();
  const codeDir = writeSection("my-gpu-server");
  const env = { HOME: sshd().personHome };
  mkdirSync(join(codeDir, "results"), { recursive: true });
  writeFileSync(join(codeDir, "results", "earlier.txt"), "of another run");

  const command = ["python", "train.py", "--epochs", "3"];
  const launched = await sortie.ask(["run", "--yes", "--detach", "--gpus", "none", "--", ...command], {
    env,
  });
  expect(launched).toMatchObject({ exit: 0, run: { host: "my-gpu-server" } });
  const { id } = launched.run;
  // What goes on afterwards goes on by itself: by the watcher, over whatever becomes of the network.
  for (let cut = 0; cut < 3; cut += 1) {
    const { dialed } = sshd().proxy;
    sshd().proxy.cut();
    await waitFor(() => sshd().proxy.dialed > dialed || existsHome(id), { what: "a new connection" });
  }
  const ended = await sortie.ask(["wait", id], { env });
  expect(ended).toMatchObject({ exit: 0, state: "succeeded", exitCode: 0 });
  await waitFor(() => existsHome(id), { what: "results at home", timeoutMs: 20_000 });
  const shown = await sortie.ask(["show", id], { env });
  expect(shown.environment).toMatchObject({ label: "conda research" });
  expect(shown.results.map((file: { path: string }) => file.path).sort()).toEqual([
    "results/confusion.txt",
    "results/metrics.json",
  ]);
  const metrics = JSON.parse(readFileSync(join(shown.resultsFolder, "results", "metrics.json"), "utf8"));
  expect(metrics.epochs).toHaveLength(3);
  expect(readFileSync(join(shown.resultsFolder, "log"), "utf8")).toMatch(/test accuracy/);
  expect(readFileSync(join(codeDir, "results", "earlier.txt"), "utf8")).toBe("of another run");
});

function existsHome(id: string): boolean {
  return existsSync(join(sortie.home(), "runs", id, "results.json"));
}

it("shows the exit code of the command there", async () => {
  copyDigits();
  writeSection("box");
  const env = { HOME: sshd().personHome };
  const failed = await sortie.run(["run", "--yes", "--gpus", "none", "--", "sh", "-c", "echo no; exit 42"], {
    env,
  });
  expect(failed).toMatchObject({ exitCode: 1 });
  expect(failed.stdout).toMatch(/^no$/m);
  expect(failed.stdout).toMatch(/failed.*42/);
});

it("a host that nothing of the person's knows, and other shell text, need trust first, also with --yes", async () => {
  const env = { HOME: sshd().personHome };
  const line = (text: string) =>
    writeFileSync(join(sortie.project(), "AGENTS.md"), `## Remote Server\n${text}\n`);
  line(`- SSH: \`ssh -p ${sshd().port} root@127.0.0.9\`\n- Code dir: \`~/new\``);
  const unknown = await sortie.ask(["run", "--yes", "--", "true"], { env });
  expect(unknown).toMatchObject({ exit: 3, next: "sortie trust" });
  expect(unknown.trust.lines).toEqual([{ line: 2, text: `SSH: ssh -p ${sshd().port} root@127.0.0.9` }]);
  line("- SSH: `ssh box`\n- Code dir: `~/new`\n- Conda: `source ./enter.sh && conda activate x`");
  expect(await sortie.ask(["run", "--yes", "--", "true"], { env })).toMatchObject({ exit: 3 });
  line("- SSH: `ssh -o ProxyCommand=evil box`\n- Code dir: `~/new`");
  expect(await sortie.ask(["run", "--yes", "--", "true"], { env })).toMatchObject({ exit: 3 });
  expect(existsSync(join(sshd().hostHome, "new"))).toBe(false);
});

it("after that its key is kept at the first use, and checked from then on", async () => {
  const env = { HOME: sshd().personHome };
  const address = `ssh -p ${sshd().port} root@127.0.0.1`;
  writeFileSync(sshd().knownHostsFile, "");
  const text = `## Remote Server\n- SSH: \`${address}\`\n- Code dir: \`~/pinned\`\n`;
  writeFileSync(join(sortie.project(), "AGENTS.md"), text);
  expect((await sortie.run(["run", "--yes", "--", "true"], { env })).exitCode).toBe(3);
  expect((await sortie.run(["trust"], { env })).exitCode).toBe(0);
  const ended = await sortie.run(["run", "--yes", "--gpus", "none", "--", "sh", "-c", "echo there"], { env });
  expect(ended.stderr).toBe("");
  expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^there$/m) });
  expect(readFileSync(join(sortie.home(), "known_hosts"), "utf8")).toContain(`[127.0.0.1]:${sshd().port}`);
});
