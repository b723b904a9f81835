import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import { SORTIE, useSortie } from "./sortie.ts";
import type { TestSshd } from "./sshd.ts";

const runner = makeLocalRunner();

/** The built `sortie` of a person who knows the host `box`, in a project whose section names it. */
export function useRemoteSortie(sshd: () => TestSshd) {
  const sortie = useSortie();
  const makeEnv = (more: Readonly<Record<string, string | undefined>> = {}) =>
    sortie.makeEnv({ HOME: sshd().personHome, XDG_RUNTIME_DIR: sshd().socketFolder, ...more });
  const project = () => sortie.project();

  /** A section for each of the aliases; the code folder lies in the home of whoever logs in there. */
  const writeProject = (...aliases: readonly string[]) => {
    const sections = aliases.map(
      (alias) => `## ${alias}\n\n- gpu: remote\n- SSH: \`ssh ${alias}\`\n- Code dir: \`~/${alias}-code\`\n`,
    );
    writeFileSync(join(project(), "AGENTS.md"), sections.join("\n"));
    writeFileSync(join(project(), "train.py"), "print('trained')\n");
    mkdirSync(join(project(), "sub"), { recursive: true });
  };
  const run = (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) =>
    sortie.run(args, { env: { HOME: sshd().personHome, XDG_RUNTIME_DIR: sshd().socketFolder, ...env } });
  const ask = (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) =>
    sortie.ask(args, { env: { HOME: sshd().personHome, XDG_RUNTIME_DIR: sshd().socketFolder, ...env } });
  /** Launches on the target of an alias, and answers with the run. */
  const launch = async (alias: string, command: readonly string[], flags: readonly string[] = []) => {
    const call = ["run", "--target", alias, "--yes", "--detach", "--gpus", "none", "--grace", "1", ...flags];
    const document = await ask([...call, "--", ...command]);
    if (!document.run) throw new Error(`nothing was launched: ${JSON.stringify(document)}`);
    return document.run;
  };
  return { ...sortie, makeEnv, writeProject, run, ask, launch, runner, SORTIE };
}
