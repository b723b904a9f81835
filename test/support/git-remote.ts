import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeToken } from "../../src/base/ids.ts";
import { readAnswer } from "../../src/base/script.ts";
import type { Outcome } from "../../src/process/runner.ts";
import { makeCheckoutProbe, readServerCheckout } from "../../src/sync/git-sync/server-checkout.ts";
import { useGitProject } from "./git-project.ts";

/**
 * A project in git with a bare repository as its remote `origin`, and a folder that stands for a server: another place on
 * this machine, where only scripts are run, as over ssh.
 */
export function useGitRemote() {
  const project = useGitProject();
  const { temp, folder, git, makeEnv, makeRepository, runner } = project;
  const bare = () => join(temp(), "remote it's.git");
  const codeDir = () => join(temp(), "server", "my experiments");
  const serverHome = () => join(temp(), "server");

  /** Runs a script there, as it goes over ssh: by stdin, in another home folder. */
  const runScript = (stdin: string, shell = "sh"): Promise<Outcome> => {
    mkdirSync(serverHome(), { recursive: true });
    const env = { ...makeEnv(), HOME: serverHome() };
    return runner.run([...shell.split(" "), "-s"], { stdin, cwd: serverHome(), env, timeoutMs: 20_000 });
  };

  /** A first commit of these files, pushed. */
  const makePushed = async (files: Readonly<Record<string, string | Uint8Array>>) => {
    await makeRepository(files);
    await git(["init", "--quiet", "--bare", bare()]);
    await git(["remote", "add", "origin", bare()]);
    await git(["push", "--quiet", "-u", "origin", "main"]);
  };

  const makeCheckout = () => git(["clone", "--quiet", bare(), codeDir()]);

  /** A hook of the bare repository, or of another one. */
  const writeHook = (name: string, script: string, gitFolder = bare()) => {
    const path = join(gitFolder, "hooks", name);
    mkdirSync(join(gitFolder, "hooks"), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  };

  const lookAtServer = async ({ place = codeDir(), shell = "sh" } = {}) => {
    const token = makeToken();
    const text = `echo begin=${token}\n${makeCheckoutProbe(place)}echo end=${token}\n`;
    const { stdout } = await runScript(text, shell);
    const checkout = readServerCheckout(readAnswer(stdout, token) ?? []);
    if (checkout === null) throw new Error(`no answer: ${stdout}`);
    return checkout;
  };

  const readRemoteHead = () => git(["rev-parse", "main"], { cwd: bare() });
  return {
    ...project,
    bare,
    codeDir,
    makePushed,
    makeCheckout,
    writeHook,
    runScript,
    lookAtServer,
    readRemoteHead,
    folder,
  };
}
