import { existsSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { useContractStage } from "../support/contract-stage.ts";
import { useSshd } from "../support/sshd.ts";

vi.setConfig({ testTimeout: 120_000 }); // each is a day of a person's work: tens of calls of `sortie`
const sshd = useSshd();
const stage = useContractStage(sshd);
const build = () => stage.ask(["env", "build", "--target", "box", "--yes"]);
const check = () => stage.ask(["env", "check", "--target", "box"]);
const plan = async (flags: readonly string[] = []) =>
  (await stage.ask(["run", "--gpus", "none", ...flags, "--", "python", "train.py"])).plan;
const describeTiers = (due: readonly { tier: number }[]) => due.map(({ tier }) => tier);

const README = (flag: string) => `# Train

\`\`\`sh sortie-check
python train.py ${flag} 3
# expect line trained for 3 with alpha 1
# expect file results/steps.txt
\`\`\`
`;
const TRAIN = `import argparse, os
import alpha, beta, gamma, model
parser = argparse.ArgumentParser()
parser.add_argument("--steps", default="1")
steps = parser.parse_args().steps
os.makedirs("results", exist_ok=True)
open("results/steps.txt", "w").write(steps)
print("trained for", steps, "with alpha", alpha.version, "in", os.environ["MODE"], model.NAME)
`;

function writeProject() {
  const wheels = [
    { name: "alpha", version: "1.0" },
    { name: "alpha", version: "1.1" },
    { name: "beta", version: "2.0", requires: ["alpha"] },
    { name: "gamma", version: "0.3" },
  ];
  for (const wheel of wheels) stage.addWheel(wheel);
  stage.write({ "train.py": TRAIN, "model.py": "NAME = 'small'\n", "README.md": README("--steps") });
  stage.writePlaces();
}

const makeSpec = (pin = "1.0") => ({
  pip_phases: [stage.makePhase(`alpha==${pin}`), stage.makePhase("beta"), stage.makePhase("gamma")],
  env: { MODE: "quiet mode" },
  smoke: { import_names: ["alpha", "beta", "gamma"], cli_checks: ["python -c 'import alpha'"] },
});

it("an environment is built on a host after the code is there, shows its tiers, and is used warm", async () => {
  writeProject();
  stage.writeSpec({ ...makeSpec(), run_commands: ["test -f train.py"] });
  expect(await check()).toMatchObject({ exit: 1, place: null, building: false, trusted: false });
  expect(existsSync(stage.onHost())).toBe(false);

  const built = await build();
  expect(built).toMatchObject({ exit: 0, tiers: [{ tier: 1, state: "passed" }] });
  expect(describeTiers(built.due)).toEqual([2, 3]);
  const [, folder = ""] = stage.listEnvs();
  expect(stage.listEnvs()).toEqual(["train", expect.stringMatching(/^train-[0-9a-f]{8}-1$/)]);
  const steps = [...stage.readLog(`${folder}.log`).matchAll(/^sortie: step (.*)$/gm)].map(([, step]) => step);
  expect(steps).toEqual(["1/5: python", "2/5: pip 1", "3/5: pip 2", "4/5: pip 3", "5/5: run 1"]);
  expect(stage.readLedger()).toMatch(/^### env: train@[0-9a-f]{8}\n/);
  expect(stage.readLedger()).toMatch(/^- how: built by `sortie env build train` with venv/m);
  expect(stage.readLedger()).toMatch(
    /^- tier: 1 import passed.*; 2 witness not tried; 3 document not tried$/m,
  );

  // The first run tries what is due, the next one finds nothing to do.
  const first = await stage.launch(["python", "train.py"]);
  expect(await stage.finish(first.id)).toMatchObject({
    ...{ state: "succeeded", environment: { label: expect.stringMatching(/^train@/) } },
  });
  const { stdout } = await stage.run(["logs", first.id]);
  expect(stdout).toBe("trained for 1 with alpha 1.0 in quiet mode small\n");
  expect(stage.readLedger()).toMatch(/^- tier: 1 import passed.*; 2 witness passed.*; 3 document passed/m);
  expect(await check()).toMatchObject({ exit: 0, trusted: true, due: [] });
  const warm = await plan();
  expect(warm.terms.environment.contract).toMatchObject({ action: "reuse", due: [], owner: "sortie" });
  expect(warm.terms.sideEffects.join("\n")).not.toMatch(/build|tier|ledger/);
  expect(stage.listEnvs()).toHaveLength(2);
  const doctor = await stage.run(["doctor"]);
  expect(doctor.stdout).toMatch(/^ +ok +there contract +train@[0-9a-f]{8}: trusted/m);
});

it("a changed pin builds anew, a comment does not, and what one documented is told apart from the rest", async () => {
  writeProject();
  stage.writeSpec(makeSpec());
  await build();
  expect(await stage.ask(["env", "verify", "--target", "box", "--yes"])).toMatchObject({ exit: 0, due: [] });
  stage.writeSpec({ ...makeSpec(), "# a comment, and": "another" }); // a line that YAML does not read
  expect((await plan()).terms.environment.contract).toMatchObject({ action: "reuse", due: [] });

  stage.writeSpec(makeSpec("1.1"));
  const rebuilt = (await plan()).terms.environment.contract;
  expect(rebuilt).toMatchObject({ action: "rebuild", why: /its specification has changed: it was/ });
  const { id } = await stage.launch(["python", "train.py"]);
  await stage.finish(id);
  expect((await stage.run(["logs", id])).stdout).toMatch(/with alpha 1\.1/);
  expect(stage.listEnvs()).toHaveLength(3);
  expect(stage.readLedger().match(/^### env: train@/gm)).toHaveLength(2);

  stage.write({ "README.md": README("--epochs") });
  expect(describeTiers((await plan()).terms.environment.contract.due)).toEqual([3]);
  const refused = await stage.start(["python", "train.py"]);
  expect(refused).toMatchObject({ exit: 5, error: { code: "environment_unverified", details: { tier: 3 } } });
  const { divergences } = refused.error.details;
  expect(divergences[0]).toMatchObject({ command: "python train.py --epochs 3" });
  expect(refused.error.message).toMatch(/exit|code|0/);
  expect(JSON.stringify(divergences)).toMatch(/unrecognized arguments: --epochs/);
  expect((await stage.ask(["ls"])).runs[0]).toMatchObject({ state: "failed", endReason: "launch_failed" });
  expect(await stage.start(["python", "train.py"], ["--unverified"])).toMatchObject({ exit: 0 });
  // What was followed once needs no second time.
  stage.write({ "README.md": `Words.\n\n${README("--steps")}` });
  expect((await plan()).terms.environment.contract).toMatchObject({ action: "reuse", due: [] });
});

it("a documented command runs in a copy of the code in a clean folder on the host", async () => {
  writeProject();
  stage.writeSpec(makeSpec());
  const tell = 'ls; pwd; echo "home: $SORTIE_HOME"; exit 3';
  stage.write({
    "README.md": `\`\`\`sh sortie-check\n${tell}\n# expect exit 0\n\`\`\`\n`,
    "results/old.txt": "of an earlier run",
    ".gitignore": "ignored.txt\n",
    "ignored.txt": "left out",
  });
  await build();
  const refused = await stage.ask(["env", "verify", "--target", "box", "--tier", "3", "--yes"]);
  const { output } = refused.error.details;
  expect(output).toMatch(/^model\.py$/m);
  expect(output).toMatch(/^train\.py$/m);
  expect(output).toMatch(/^home: $/m);
  expect(output).not.toContain("results");
  expect(output).not.toContain(stage.onHost("code"));
});

it("a warm start asks the host no more often than one without a contract", async () => {
  writeProject();
  const env = stage.makeCountingEnv();
  const count = async (args: readonly string[]) => {
    const before = stage.readCalls().length;
    const answer = await stage.ask(args, { env });
    return { answer, calls: stage.readCalls().length - before };
  };
  const launch = async () => {
    const { answer, calls } = await count(["run", "--yes", "--detach", "--gpus", "none", "--", "true"]);
    await stage.finish(answer.run.id); // a run that lives is asked about by the next launch
    return calls;
  };
  await launch();
  const without = await launch();
  stage.writeSpec(makeSpec());
  await launch();
  expect(await launch()).toBe(without);
  const { answer, calls } = await count(["run", "--gpus", "none", "--", "true"]);
  expect(calls).toBe(1);
  const atOnce = await count(["env", "build", "--yes"]);
  expect(atOnce).toMatchObject({ calls: 1, answer: { exit: 0, trusted: true } });
  expect((await count(["confirm", answer.plan.id, "--detach"])).calls).toBe(without);
});
