import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach } from "vitest";
import { writeQuickPython } from "./contract-stage.ts";
import { useRemoteSortie } from "./remote-stage.ts";
import type { TestSshd } from "./sshd.ts";
import { useVastDouble } from "./vast/vast-double.ts";

const DIGITS = join(import.meta.dirname, "../../examples/digits");

/** A person with an account of the double of Vast.ai, whose every machine is the host of the tests. */
export function useRentStage(sshd: () => TestSshd) {
  const vast = useVastDouble();
  const sortie = useRemoteSortie(sshd);
  const money = () => ({ ...vast().env, HOME: sshd().personHome });
  const run = (...args: readonly string[]) => sortie.run(args, money());
  const ask = (...args: readonly string[]) => sortie.ask(args, money());
  beforeEach(() => {
    vast().settings.direct = { host: "127.0.0.1", port: sshd().port };
    vast().account.sshKeys.push(readFileSync(join(sshd().personHome, ".ssh", "id_ed25519.pub"), "utf8"));
  });
  return {
    ...sortie,
    ...{ vast, run, ask },
    makeEnv: () => sortie.makeEnv(money()),
    /** The section of a target that is of Vast.ai's, with these lines more. */
    writeSection: (...lines: readonly string[]) => {
      const code = `- Code dir: \`${join(sshd().hostHome, "workspace")}\``;
      const text = ["## Vast.ai", "- gpu: vast", code, ...lines.map((line) => `- ${line}`), ""].join("\n");
      writeFileSync(join(sortie.project(), "AGENTS.md"), text);
    },
    /** The specification of an environment that is made fast. */
    writeSpec: (spec: object) => {
      const base = `venv:${writeQuickPython(join(sshd().hostHome, "my tools"))}`;
      writeFileSync(join(sortie.project(), "env-spec.json"), JSON.stringify({ base, ...spec }));
    },
    /** The example that trains on real data. */
    copyDigits: () => {
      for (const name of ["train.py", "data.py", "network.py", "digits.csv.gz", "split.json"])
        copyFileSync(join(DIGITS, name), join(sortie.project(), name));
    },
  };
}
