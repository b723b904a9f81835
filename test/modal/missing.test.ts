import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SortieError } from "../../src/base/error.ts";
import { chooseTargetFor } from "../../src/supervise/choose-target.ts";
import { confirmPlan } from "../../src/supervise/confirm-plan.ts";
import { closeDesk, type Desk, openDesk } from "../../src/supervise/desk.ts";
import { makeRequest } from "../../src/supervise/make-request.ts";
import { findCapProblem } from "../../src/supervise/modal/modal-terms.ts";
import { planModal } from "../../src/supervise/modal/plan-modal.ts";
import type { RentFlags } from "../../src/targets/vast/needs.ts";
import { useModal } from "../support/modal/modal-stage.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const modal = useModal();
const folder = useTempFolder();
const VOLUME = "experiment-results";
const SECTION = {
  modal_app: "train.py",
  modal_secrets: "wandb-secret",
  modal_volume: VOLUME,
};

const project = () => join(folder(), "project");
const write = (name: string, text: string) => writeFileSync(join(project(), name), text);
let desk: Desk;

beforeEach(() => {
  mkdirSync(project());
  modal.setAccount({ secrets: { "wandb-secret": {} } });
  modal.addVolume(VOLUME);
  write("train.py", "import helper, json\nfrom os import path\nprint(1)\n");
  write("helper.py", "import sys\n");
  desk = openWith({});
});

afterEach(() => closeDesk(desk));

function openWith(env: Readonly<Record<string, string>>): Desk {
  const whole = {
    ...process.env,
    ...modal.env(),
    HOME: folder(),
    SORTIE_HOME: join(folder(), "home"),
    ...env,
  };
  return openDesk({ env: whole, self: ["false"] });
}

interface Case {
  /** Keys of the section that are others; null: left out. */
  readonly section?: Readonly<Record<string, string | null>>;
  readonly command?: readonly string[];
  readonly flags?: RentFlags;
  readonly gpu?: readonly string[];
  readonly gpus?: number | "none";
  readonly timeoutS?: number;
}

async function plan({ section = {}, command = ["python", "train.py"], flags = {}, ...asked }: Case = {}) {
  const keys = Object.entries({ ...SECTION, ...section }).filter(([, value]) => value !== null);
  write(
    "AGENTS.md",
    ["## Modal", "- gpu: modal", ...keys.map(([key, value]) => `- ${key}: ${value}`), ""].join("\n"),
  );
  const place = { cwd: project(), wanted: "modal" };
  const choice = await chooseTargetFor(desk, place);
  if ("trust" in choice) throw new Error("nothing of it needs trust");
  const wish = {
    ...{ command, cwd: project(), isCwdGiven: false, target: "modal", name: null, gpus: null, gpu: [] },
    ...{ variables: {}, envFiles: [], results: null, timeoutS: null, graceS: null, expectS: null },
    ...{ waitGpuS: null, freeze: false, copies: [], environment: null, unverified: false, ...asked },
  };
  return planModal(desk, makeRequest(wish, choice.target), choice.target, { place, variables: {}, flags });
}

const OWN = "import modal\napp = modal.App()\n@app.function(gpu='H100:2', timeout=7200)\ndef one(*a): pass\n";

test.each<[string, string, Case, (() => void)?]>([
  ["no file of the app", "modal_app_missing", { section: { modal_app: "gone.py" } }],
  ["no key that names an app", "modal_app_open", { section: { modal_app: null } }],
  ["no secret", "modal_secret_missing", { section: { modal_secrets: "wandb-secret, other" } }],
  ["no volume", "modal_volume_missing", { section: { modal_volume: "gone" } }],
  ["nothing that keeps results", "modal_volume_open", { section: { modal_volume: null } }],
  ["no dependencies named", "modal_image_open", {}, () => write("helper.py", "import torch.nn as nn\n")],
  ["no requirements", "modal_requirements_missing", { section: { requirements: "gone.txt" } }],
  ["a GPU that Modal has not", "modal_gpu_unknown", { section: { modal_gpu: "V100" } }],
  ["a GPU by number", "value_bad", { gpu: ["0"] }],
  ["a cap that does not hold there", "value_bad", { flags: { max_price: "1" } }],
  [
    "two functions",
    "modal_app_unclear",
    {},
    () => write("train.py", `${OWN}@app.function()\ndef two(): pass\n`),
  ],
  [
    "an app that keeps nothing",
    "modal_volume_open",
    { section: { modal_volume: null } },
    () => write("train.py", OWN),
  ],
  ["another script", "modal_command_other", { command: ["python", "b.py"] }, () => write("train.py", OWN)],
  ["nobody logged in", "modal_login_missing", {}, () => modal.setAccount({ isLoggedIn: false })],
  [
    "no program",
    "modal_program_missing",
    {},
    () => {
      closeDesk(desk);
      desk = openWith({ PATH: "/usr/bin:/bin" });
    },
  ],
])("asks, and runs nothing anywhere: %s", async (_, code, given, prepare = () => undefined) => {
  prepare();
  const fault = await plan(given).catch((error: SortieError) => error);
  expect(fault).toMatchObject({ code, exit: 2 });
  expect(desk.store.list("SELECT id FROM plans")).toEqual([]);
  expect(modal.listApps()).toEqual([]);
});

test("chooses GPU and time, and what they cost at most, and says where each comes from", async () => {
  const look = async (given: Case) => {
    const { terms, notes } = await plan(given);
    const { gpus, gpuSource, timeoutS, cost, cap } = terms.modal as NonNullable<typeof terms.modal>;
    const problem = findCapProblem({ cost, cap });
    return { gpus, gpuSource, timeoutS, dollars: cost?.dollars.toFixed(2), cap: cap.dollars, problem, notes };
  };
  expect(await look({})).toMatchObject({
    gpus: ["T4"],
    timeoutS: 300,
    dollars: "0.09",
    cap: null,
    problem: expect.stringMatching(/^Nothing says/),
  });
  const bounded = { section: { modal_timeout: "30h", max_budget: "5", modal_gpu: "h100:2, A100-80GB" } };
  const noted = expect.arrayContaining([expect.stringContaining("after 24 h, 30 h were asked for")]);
  expect(await look(bounded)).toMatchObject({
    gpus: ["H100:2", "A100-80GB"],
    timeoutS: 86280,
    cap: 5,
    problem: expect.stringMatching(/which is more than \$5\.00 \(AGENTS\.md line/),
    notes: noted,
  });
  expect(
    await look({ flags: { min_gpu_memory: "40G", max_cost: "1" }, gpus: 2, timeoutS: 60 }),
  ).toMatchObject({
    ...{
      gpus: ["L40S:2"],
      gpuSource: expect.stringContaining("cheapest with 40G"),
      timeoutS: 60,
      problem: null,
    },
  });
  expect(await look({ gpus: "none", flags: { max_cost: "1" } })).toMatchObject({ gpus: [], problem: null });
  writeFileSync(
    join(desk.home.root, "modal-prices.yaml"),
    "asOf: 2020-01-01\nsource: mine\ngpus:\n  L4: 0.1\n",
  );
  const old = expect.arrayContaining([expect.stringContaining("these prices are of 2020-01-01")]);
  expect(await look({})).toMatchObject({ gpus: ["L4"], dollars: "0.04", notes: old });
  write("train.py", OWN);
  expect(await look({ flags: { max_cost: "30" } })).toMatchObject({
    gpus: ["H100:2"],
    timeoutS: 7200,
    problem: null,
  });
  write("train.py", OWN.replace("7200", "LIMIT"));
  expect(await look({ flags: { max_cost: "30" } })).toMatchObject({
    timeoutS: null,
    problem: expect.stringContaining("cannot be told"),
  });
});

test("a plan is stale when what it needs at Modal is gone, or its launcher is another", async () => {
  const { id } = await plan();
  modal.setAccount({ secrets: {} });
  const confirm = () => confirmPlan(desk, id);
  await expect(confirm()).rejects.toMatchObject({
    code: "plan_stale",
    message: expect.stringContaining("wandb-secret"),
  });
  modal.setAccount({ secrets: { "wandb-secret": {} } });
  writeFileSync(join(desk.home.plans, id, "launcher"), "print(1)\n");
  await expect(confirm()).rejects.toMatchObject({
    code: "plan_stale",
    message: expect.stringContaining("launcher"),
  });
});
