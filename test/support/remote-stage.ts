import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDesk } from "../../src/supervise/desk.ts";
import { SORTIE, useSortie } from "./sortie.ts";
import type { TestSshd } from "./sshd.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The built `sortie` of a person who knows the host `box`, and others if the test says so, as their project's targets. */
export function useRemoteSortie(sshd: () => TestSshd) {
  const sortie = useSortie();
  const place = (env: Env = {}): Env => ({
    HOME: sshd().personHome,
    XDG_RUNTIME_DIR: sshd().socketFolder, // short: sockets lie in it
    ...env,
  });
  const makeEnv = (env?: Env) => sortie.makeEnv(place(env));
  const run = (args: readonly string[], env?: Env) => sortie.run(args, { env: place(env) });
  const ask = (args: readonly string[], env?: Env) => sortie.ask(args, { env: place(env) });

  const show = (id: string) => ask(["show", id]);

  /** A section for each alias. */
  const writeTargets = (...aliases: readonly string[]) => {
    const sections = aliases.map(
      (alias) => `## ${alias}\n\n- gpu: remote\n- SSH: \`ssh ${alias}\`\n- Code dir: \`~/code-${alias}\`\n`,
    );
    writeFileSync(join(sortie.project(), "AGENTS.md"), sections.join("\n"));
  };
  /** Launches on the target of an alias, and answers with the run. */
  const launch = async (alias: string, command: readonly string[], flags: readonly string[] = []) => {
    const call = ["run", "--target", alias, "--yes", "--detach", "--gpus", "none", "--grace", "1", ...flags];
    const document = await ask([...call, "--", ...command]);
    if (!document.run) throw new Error(`nothing was launched: ${JSON.stringify(document)}`);
    return document.run;
  };
  /** What is on record; no host is asked by it. The caller closes it. */
  const openRecords = () => openDesk({ env: makeEnv(), self: [process.execPath, SORTIE] });
  return { ...sortie, makeEnv, run, ask, show, writeTargets, launch, openRecords };
}
