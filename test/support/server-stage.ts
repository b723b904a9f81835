import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { useSortie } from "./sortie.ts";
import type { TestSshd } from "./sshd.ts";

interface Call {
  /** Over that of the person who knows the host. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the project folder. */
  readonly cwd?: string;
}

/** The built `sortie` of a person with one project whose runs go to a host, for flows from the first command to the last. */
export function useServerStage(sshd: () => TestSshd) {
  const sortie = useSortie();
  const place = ({ env, cwd }: Call) => ({
    env: { HOME: sshd().personHome, XDG_RUNTIME_DIR: sshd().socketFolder, ...env }, // short: sockets lie in it
    ...(cwd === undefined ? {} : { cwd }),
  });
  const ask = (args: readonly string[], call: Call = {}) => sortie.ask(args, place(call));
  const run = (args: readonly string[], call: Call = {}) => sortie.run(args, place(call));

  /** Files of a project, made with their folders. */
  const write = (files: Readonly<Record<string, string | Uint8Array>>, root = sortie.project()) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  };
  /** The one section of the project, a line a key. */
  const writeSection = (lines: readonly string[], { alias = "box", root = sortie.project() } = {}) =>
    write({ "AGENTS.md": `## There\n- SSH: \`ssh ${alias}\`\n${lines.join("\n")}\n` }, root);

  const start = (command: readonly string[], flags: readonly string[] = [], call: Call = {}) =>
    ask(["run", "--yes", "--detach", "--gpus", "none", "--grace", "1", ...flags, "--", ...command], call);
  /** Launches, and answers with the run. */
  const launch = async (...given: Parameters<typeof start>) => {
    const document = await start(...given);
    if (!document.run) throw new Error(`nothing was launched: ${JSON.stringify(document)}`);
    return document.run;
  };
  /** Its document once it is over and home. */
  const finish = async (id: string, call: Call = {}) => {
    await ask(["wait", id], call);
    const collected = await ask(["collect", id], call);
    if (collected.exit !== 0) throw new Error(`it did not come home: ${JSON.stringify(collected)}`);
    return ask(["show", id], call);
  };
  return { ...sortie, ask, run, write, writeSection, start, launch, finish };
}
