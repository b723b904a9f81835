import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useModal } from "../support/modal/modal-stage.ts";
import { useSortie } from "../support/sortie.ts";

const modal = useModal();
const sortie = useSortie();
const VOLUME = "experiment-results";

const run = (...args: readonly string[]) => sortie.run(args, { env: modal.env() });
const ask = (...args: readonly string[]) => sortie.ask(args, { env: modal.env() });
const write = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(sortie.project(), name), text);
};

/** The section of the user's own text. */
function writeSection(...more: readonly string[]) {
  const lines = ["- gpu: modal", "- modal_app: `train.py`", "- modal_secrets: `wandb-secret`"];
  const text = ["## Modal", ...lines, `- modal_volume: \`${VOLUME}\``, ...more, ""].join("\n");
  write({ "AGENTS.md": text });
}

function openAccount() {
  modal.setAccount({ secrets: { "wandb-secret": { WANDB_API_KEY: "k" } } });
  modal.addVolume(VOLUME);
}

test("runs a script with the section of the user's text: a plan with its cost, one run at Modal, results home", async () => {
  openAccount();
  writeSection();
  write({
    "train.py": [
      "import json, os, pathlib, sys",
      "pathlib.Path('results').mkdir(exist_ok=True)",
      "pathlib.Path('results/seen.json').write_text(json.dumps([sys.argv[1:], os.environ['WANDB_API_KEY']]))",
      "print('loss 0.5')",
    ].join("\n"),
  });
  const call = ["run", "--yes", "--max-cost", "2", "--target", "modal", "--name", "first"];
  const outcome = await run(...call, "--", "python", "train.py", "it's");
  expect([outcome.exitCode, outcome.stderr]).toEqual([0, ""]);
  expect(outcome.stdout).toMatch(/cost +at most about \$0\.09.*cap\n? +\$2\.00 \(--max-cost\)/);
  expect(outcome.stdout).toMatch(/GPU +T4 \(assumed: no modal_gpu is set/);
  expect(outcome.stdout).toContain("loss 0.5\n");

  const shown = await ask("show", "first");
  expect(shown).toMatchObject({ state: "succeeded", kind: "modal", jobFolder: null, collectFault: null });
  expect(shown.results).toMatchObject([{ path: "results/seen.json" }]);
  expect(shown.modal).toMatchObject({ file: "train.py", gpus: ["T4"], volumes: [VOLUME], fault: null });
  const seen = readFileSync(join(shown.resultsFolder, "results/seen.json"), "utf8");
  expect(JSON.parse(seen)).toEqual([["it's"], "k"]);
  const apps = modal.listApps();
  expect(apps.map(({ app_id, description }) => [app_id, description])).toEqual([
    [shown.modal.appId, `sortie-${shown.id}`],
  ]);
  expect(apps[0]?.functions).toMatchObject([{ gpu: "T4", timeout: 420, secrets: ["wandb-secret"] }]);
});
