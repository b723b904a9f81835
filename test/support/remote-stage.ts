import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../src/runs/run-record.ts";
import { loadRun } from "../../src/runs/run-store.ts";
import { closeDesk, openDesk } from "../../src/supervise/desk.ts";
import { SORTIE, useSortie } from "./sortie.ts";
import type { TestSshd } from "./sshd.ts";
import { waitFor } from "./wait-for.ts";

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
  /** A run as it is on record, however that came there: nothing is asked of any host. */
  const waitForRecord = async (id: string, is: (run: RunRecord) => boolean) => {
    const desk = openDesk({ env: makeEnv(), self: [process.execPath, SORTIE] });
    try {
      const look = () => [loadRun(desk.store, id)].find(is);
      return await waitFor<RunRecord | undefined>(look, {
        ...{ timeoutMs: 60_000, intervalMs: 100, what: `news of ${id} on record` },
      });
    } finally {
      closeDesk(desk);
    }
  };
  return { ...sortie, makeEnv, run, ask, show, writeTargets, launch, waitForRecord };
}
