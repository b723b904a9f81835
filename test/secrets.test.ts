import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeGpus } from "./support/fake-gpus.ts";
import { findOwnProcesses } from "./support/own-processes.ts";
import { useSortie } from "./support/sortie.ts";
import { waitFor } from "./support/wait-for.ts";

const sortie = useSortie();
/** One for each way in which a value comes: by flag, by file, by the caller's environment. */
const BY_FLAG = "s3ntinel-by-flag";
const BY_FILE = "s3ntinel 'by' file";
const BY_CALLER = "s3ntinel-by-caller";
const SENTINELS = [BY_FLAG, "s3ntinel", BY_CALLER];
const hold = 'printf "%s\\n" "$KEY" "$TOKEN" "$HF_TOKEN" >seen; while [ ! -e go ]; do sleep 0.05; done';
const env = { HF_TOKEN: BY_CALLER, SORTIE_DEBUG: "1" };

const flags = () => {
  const file = join(sortie.temp(), "values");
  writeFileSync(file, `TOKEN="${BY_FILE}"\n`);
  return ["--target", "local", "--env", `KEY=${BY_FLAG}`, "--env-file", file];
};
const readSeen = () => {
  const seen = join(sortie.project(), "seen");
  return existsSync(seen) ? readFileSync(seen, "utf8") : "";
};
const hasSecret = (text: string | Buffer) => SENTINELS.some((sentinel) => text.includes(sentinel));

interface Holder {
  readonly path: string;
  readonly mode: number;
}

/** Files below the home folder that hold a value, in plain bytes. */
function listHolders(): Holder[] {
  return readdirSync(sortie.home(), { recursive: true, encoding: "utf8" })
    .map((name) => join(sortie.home(), name))
    .filter((path) => statSync(path).isFile() && hasSecret(readFileSync(path)))
    .map((path) => ({ path: path.slice(sortie.home().length + 1), mode: statSync(path).mode & 0o777 }));
}

/** What anybody on the machine sees of our processes, looked at again and again while something is done. */
async function expectSilentProcesses<Result>(work: () => Promise<Result>): Promise<Result> {
  const seen = new Set<string>();
  const timer = setInterval(() => {
    for (const { command } of findOwnProcesses()) seen.add(command);
  }, 3);
  const result = await work().finally(() => clearInterval(timer));
  expect(seen.size).toBeGreaterThan(3);
  expect([...seen].filter(hasSecret)).toEqual([]);
  return result;
}

function expectSilent(...answers: readonly unknown[]) {
  for (const answer of answers) expect(hasSecret(JSON.stringify(answer))).toBe(false);
}

async function expectGone(id: string) {
  writeFileSync(join(sortie.project(), "go"), "");
  await waitFor(async () => (await sortie.show(id)).collected, {
    timeoutMs: 20_000,
    what: "the run at home",
  });
  expect(listHolders()).toEqual([]);
}

describe("L38 a value given to a run", () => {
  it("L38 is in private files only while it must be, and in no plan, document, log or argument", async () => {
    const planned = await sortie.run(["run", ...flags(), "--json", "--", "sh", "-c", hold], { env });
    const { plan } = JSON.parse(planned.stdout);
    expect(planned.exitCode).toBe(3);
    expectSilent(planned, await sortie.run(["run", ...flags(), "--", "true"], { env }));
    expect(listHolders()).toEqual([
      { path: expect.stringMatching(/^plans\/p\w+\/variables\.json$/), mode: 0o600 },
      { path: expect.stringMatching(/^plans\/p\w+\/variables\.json$/), mode: 0o600 },
    ]);
    const confirmed = await expectSilentProcesses(async () => {
      const answer = await sortie.ask(["confirm", plan.id, "--detach"], { env });
      await waitFor(() => readSeen().split("\n").length === 4);
      return answer;
    });
    expect(readSeen()).toBe(`${BY_FLAG}\n${BY_FILE}\n${BY_CALLER}\n`);
    const looked = await Promise.all(
      [["show", confirmed.run.id], ["ls"], ["doctor"], ["targets"]].map((args) =>
        sortie.run([...args, "--json"], { env }),
      ),
    );
    expectSilent(confirmed, ...looked);
    expect(listHolders().filter(({ path }) => path.startsWith("jobs/"))).toEqual([]);
    await sortie.ask(["clean", "--yes"]);
    expect(listHolders()).toHaveLength(1); // of the plan that was not confirmed
    writeFileSync(join(sortie.project(), "go"), "");
    await waitFor(async () => (await sortie.show(confirmed.run.id)).collected, { timeoutMs: 20_000 });
    expect(listHolders()).toHaveLength(1);
  });

  it("L38 is in one private file while its run waits for a GPU, with the caller's whole environment", async () => {
    const fake = makeFakeGpus(sortie.temp(), { gpus: [{ memoryUsed: 9000 }] });
    const options = { env: { ...env, ...fake.env } };
    const waiting = await sortie.ask(
      ["run", ...flags(), "--wait-gpu", "--yes", "--detach", "--", "sh", "-c", hold],
      options,
    );
    expect(waiting).toMatchObject({ exitCode: 0, run: { state: "waiting" } });
    expect(listHolders()).toEqual([{ path: `jobs/${waiting.run.id}/env`, mode: 0o600 }]);
    fake.changeGpu(0, { memoryUsed: 4 });
    await expectSilentProcesses(() =>
      waitFor(() => readSeen().split("\n").length === 4, {
        timeoutMs: 20_000,
        what: "the command",
      }),
    );
    expect(readSeen()).toBe(`${BY_FLAG}\n${BY_FILE}\n${BY_CALLER}\n`);
    expect(listHolders()).toEqual([]);
    expectSilent(await sortie.run(["show", waiting.run.id, "--json"], options));
    await expectGone(waiting.run.id);
  });

  it.each(["stop", "give up"])("L38 is gone when its run never started: %s", async (how) => {
    const fake = makeFakeGpus(sortie.temp(), { gpus: [{ memoryUsed: 9000 }] });
    const options = { env: { ...env, ...fake.env } };
    const patience = how === "stop" ? "1h" : "1s";
    const waiting = await sortie.ask(
      ["run", ...flags(), `--wait-gpu=${patience}`, "--yes", "--detach", "--", "true"],
      options,
    );
    expect(listHolders()).toHaveLength(1);
    if (how === "stop") await sortie.ask(["stop", waiting.run.id], options);
    await sortie.waitForState(waiting.run.id, how === "stop" ? ["stopped"] : ["failed"]);
    expect(listHolders()).toEqual([]);
  });
});

it("L38 the file that values came from is not taken for code", async () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: sortie.project(), stdio: "ignore" });
  git("init");
  writeFileSync(join(sortie.project(), "train.py"), "print(1)\n");
  writeFileSync(join(sortie.project(), "settings"), `TOKEN="${BY_FILE}"\n`);
  git("add", "-A");
  const { plan } = await sortie.ask(["run", "--target", "local", "--env-file", "settings", "--", "true"]);
  expect(plan.terms.code).toMatchObject({ kind: "git", leftOut: [{ path: "settings", reason: "secret" }] });
  const confirmed = await sortie.ask(["confirm", plan.id]);
  expect(confirmed).toMatchObject({ exitCode: 0, run: { state: "succeeded" } });
  const again = await sortie.ask(["rerun", confirmed.run.id, "--env", "TOKEN=other"]);
  expect(again.plan.terms.code.leftOut).toMatchObject([{ path: "settings", reason: "secret" }]);
});

it("L38 is not repeated in what is said about a mistake", async () => {
  writeFileSync(join(sortie.temp(), "broken"), `${BY_FLAG}\n`);
  const mistakes = [
    ["run", "--target", "local", "--env", BY_FLAG, "--", "true"],
    ["run", "--target", "local", "--env", "hf_s3ntinel", "--", "true"],
    ["run", "--target", "local", "--env", `=${BY_FLAG}`, "--", "true"],
    ["run", "--target", "local", "--env", `MY KEY=${BY_FLAG}`, "--", "true"],
    ["run", "--target", "nowhere", "--env", `KEY=${BY_FLAG}`, "--", "true"],
    ["run", "--target", "local", "--cwd", "nowhere", "--env", `KEY=${BY_FLAG}`, "--", "true"],
    ["run", "--target", "local", "--env", `KEY=${BY_FLAG}`, "--bad", "--", "true"],
    [
      "run",
      "--target",
      "local",
      "--env-file",
      join(sortie.temp(), "broken"),
      "--cwd",
      "nowhere",
      "--",
      "true",
    ],
    ["rerun", "nothing", "--env", `KEY=${BY_FLAG}`],
  ];
  for (const args of mistakes) {
    for (const json of [[], ["--json"]]) {
      const outcome = await sortie.run([...args.slice(0, 1), ...json, ...args.slice(1)], { env });
      expect(outcome.exitCode).toBe(2);
      expectSilent(outcome);
    }
  }
});

it("L38 the home folder is its owner's alone, and so is what lies in it", async () => {
  const { run } = await sortie.ask(["run", ...flags(), "--yes", "--", "true"], { env });
  await waitFor(() => findOwnProcesses().length === 0, { timeoutMs: 20_000 });
  const mode = (...names: string[]) => statSync(join(sortie.home(), ...names)).mode & 0o777;
  expect(mode()).toBe(0o700);
  for (const name of ["jobs", `jobs/${run.id}`]) expect([name, mode(name)]).toEqual([name, 0o700]);
  for (const name of [
    "sortie.db",
    "watcher.log",
    ...["job.sh", "run.sh", "meta.json", "pid", "log", "exit"].map((file) => `jobs/${run.id}/${file}`),
  ])
    expect([name, mode(name)]).toEqual([name, 0o600]);
});
