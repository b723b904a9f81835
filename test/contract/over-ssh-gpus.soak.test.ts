import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { quoteShell } from "../../src/base/quote.ts";
import { writeQuickPython } from "../support/contract-project.ts";
import { useContractStage } from "../support/contract-stage.ts";
import { setCupyFault, writeCupyWheel } from "../support/cupy-wheel.ts";
import { type FakeGpus, makeFakeGpus, makeFakeUuid } from "../support/fake-gpus.ts";
import { useSshd } from "../support/sshd.ts";

const sshd = useSshd();
const stage = useContractStage(sshd);
const startFile = () => join(sshd().hostHome, ".bashrc");
const TELL = ["sh", "-c", 'echo "$CUDA_VISIBLE_DEVICES"'];
/** Of the host. */
let gpus: FakeGpus;

beforeEach(() => {
  gpus = makeFakeGpus(stage.temp(), { gpus: [{}, {}] });
  const { PATH: _, ...variables } = gpus.env;
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoteShell(value)}`);
  const programs = quoteShell(join(stage.temp(), "nvidia-programs"));
  writeFileSync(startFile(), [...lines, `export PATH=${programs}:"$PATH"`, ""].join("\n"));
});
afterEach(() => rmSync(startFile(), { force: true }));

function writeProject() {
  mkdirSync(stage.onHost(), { recursive: true });
  stage.write({ "train.py": "print(1)" });
  stage.writePlaces();
  stage.writeSpec({
    base: `venv:${writeQuickPython(stage.onHost())}`,
    pip_phases: [["--no-index", writeCupyWheel(stage.temp())]],
    smoke: { import_names: ["cupy"] },
  });
}

const start = (...flags: readonly string[]) =>
  stage.ask(["run", "--yes", "--detach", ...flags, "--", ...TELL]);
const planFor = async (...flags: readonly string[]) => {
  const { plan } = await stage.ask(["run", ...flags, "--", ...TELL]);
  const { action, due } = plan.terms.environment.contract;
  return {
    action,
    due: due.map(({ tier, card }: { tier: number; card: { uuid: string } | null }) => [
      tier,
      card?.uuid ?? null,
    ]),
  };
};

it("on a host the witness computes on the GPU that the run gets, and again where its driver is another", async () => {
  writeProject();
  const { run } = await start("--gpu", "1");
  const [first, second] = [makeFakeUuid(0), makeFakeUuid(1)];
  await stage.finish(run.id);
  expect((await stage.run(["logs", run.id])).stdout).toBe(`${second}\n`);
  expect(stage.readLedger()).toContain(`NVIDIA A100-SXM4-80GB (${second}), driver 535.104.05`);
  expect(await planFor("--gpu", "1")).toEqual({ action: "reuse", due: [] });
  expect(await planFor("--gpu", "0")).toEqual({ action: "reuse", due: [[2, first]] });
  expect((await stage.ask(["env", "check"])).due).toMatchObject([{ tier: 2, gpu: first }]);

  gpus.changeGpu(1, { driver: "550.54.14" });
  expect(await planFor("--gpu", "1")).toEqual({ action: "reuse", due: [[2, second]] });
  setCupyFault(gpus, "no_kernel");
  const refused = await start("--gpu", "1");
  expect(refused).toMatchObject({ exit: 5, error: { code: "environment_unverified", details: { tier: 2 } } });
  expect(refused.error.message).toMatch(/no kernel image/);
  expect(await stage.ask(["gpus", "--target", "box"])).toMatchObject({
    gpus: [{ state: "free" }, { state: "free" }],
  });
  setCupyFault(gpus, null);
  const verified = await stage.ask(["env", "verify", "--yes"]);
  expect(verified).toMatchObject({
    exit: 0,
    due: [],
    tiers: [
      { tier: 2, gpu: first },
      { tier: 2, gpu: second },
    ],
  });
  expect(stage.listEnvs()).toHaveLength(2);
  const again = await start("--gpus", "2");
  await stage.finish(again.run.id);
  expect((await stage.run(["logs", again.run.id])).stdout).toBe(`${first},${second}\n`);
});
