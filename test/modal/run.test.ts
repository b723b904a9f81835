import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useModal } from "../support/modal/modal-stage.ts";
import { useSortie } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

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
    ...{ ".env": "KEY=1", "a[b].pt": "a checkpoint", "[a].txt": "sent" },
    "train.py": [
      "import json, os, pathlib, sys",
      "pathlib.Path('results').mkdir(exist_ok=True)",
      "pathlib.Path('results/seen.json').write_text(json.dumps([sys.argv[1:], os.environ['WANDB_API_KEY'], sorted(os.listdir())]))",
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
  expect(JSON.parse(seen)).toEqual([["it's"], "k", ["AGENTS.md", "[a].txt", "results", "train.py"]]);
  const apps = modal.listApps();
  expect(apps.map(({ app_id, description }) => [app_id, description])).toEqual([
    [shown.modal.appId, `sortie-${shown.id}`],
  ]);
  expect(apps[0]?.functions).toMatchObject([{ gpu: "T4", timeout: 420, secrets: ["wandb-secret"] }]);
});

test("L50 no time limit, one that is too long, and an error body in a result's place", async () => {
  openAccount();
  write({
    "train.py": "import os\nos.makedirs('results')\nopen('results/a', 'w').write('a' * 999)\nprint('ok')\n",
  });
  const call = ["run", "--target", "modal", "--name", "long"];
  writeSection();
  const usual = await ask(...call, "--", "python", "train.py");
  expect([usual.exit, usual.plan.terms.modal.timeoutS]).toEqual([3, 300]);
  expect(usual.plan.notes.join()).toContain("Modal's default of 300 s ends the command");

  writeSection("- modal_timeout: 30h", "- max_budget: 30");
  modal.setFaults({ get: { path: "results/a", body: '{"error": "try later"}', times: 99 } });
  const long = await run(...call, "--yes", "--", "python", "train.py");
  expect(long.stdout.replace(/\s+/g, " ")).toContain(
    "Modal ends every function after 24 h, 30 h were asked for",
  );
  expect(long.exitCode).toBe(0);
  expect(long.stdout).toContain("code/results/a has 22 bytes instead of 999");
  expect(await ask("show", "long")).toMatchObject({ state: "succeeded", collected: false, results: [] });
  modal.setFaults({});
  const collected = await ask("collect", "long");
  expect(collected).toMatchObject({
    exit: 0,
    collectFault: null,
    results: [{ path: "results/a", bytes: 999 }],
  });
});

test("an app of its own: an image error stands until the file has changed; a lost client is followed on, and stopped", async () => {
  modal.addVolume(VOLUME);
  write({ "AGENTS.md": "## Modal\n- gpu: modal\n- modal_app: app.py\n- max_budget: 1\n" });
  const app = [
    "import modal, time",
    "app = modal.App('own')",
    `kept = modal.Volume.from_name("${VOLUME}")`,
    "@app.function(gpu='L4', timeout=600, volumes={'/kept': kept})",
    "def train(*args):",
    "    print('args', args, flush=True)",
    "    time.sleep(60)",
  ];
  write({ "app.py": app.join("\n") });
  const before = "ERROR: No matching distribution found for torch==9.9";
  const error = "Image build for im-1 failed. See build logs for more details.";
  modal.setFaults({ run: { before, error } });
  const start = (name: string, ...more: readonly string[]) =>
    ask("run", "--target", "modal", "--yes", "--name", name, ...more, "--", "python", "app.py", "--lr", "1");
  expect(await start("broken")).toMatchObject({
    exit: 1,
    run: { state: "failed", endReason: "launch_failed" },
  });
  const { modal: known } = await ask("show", "broken");
  expect(known.fault).toMatchObject({
    kind: "image",
    line: `Error: ${error}`,
    text: expect.stringContaining(before),
  });
  modal.setFaults({ run: { connectionLost: true } });
  expect(await start("same")).toMatchObject({ exit: 2, error: { code: "modal_fault_stands" } });

  write({ "app.py": [...app, "# mended"].join("\n") });
  expect(await start("mended", "--detach")).toMatchObject({
    exit: 0,
    run: { state: "running", jobFolder: null },
  });
  const log = async () => (await run("logs", "mended")).stdout;
  await waitFor(async () => /The app goes on there.*args \('--lr', '1'\)/s.test(await log()), {
    what: "the log of what goes on",
  });
  expect(await log()).not.toContain("Traceback");
  const stopped = await run("stop", "mended");
  expect([stopped.exitCode, stopped.stdout]).toEqual([0, expect.stringMatching(/^mended stopped after /)]);
  expect(modal.listApps().map(({ state, functions }) => [state, functions.length])).toEqual(
    expect.arrayContaining([["stopped", 1]]),
  );
  expect(modal.listApps().every(({ state }) => state === "stopped")).toBe(true);
});
