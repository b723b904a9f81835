import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeGpus } from "./support/fake-gpus.ts";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const LIVE = ["sh", "-c", "echo up; exec sleep 300"];
const makeCall = (command: readonly string[], ...flags: string[]) => [
  ...["run", "--target", "local", "--yes", "--grace", "1", ...flags, "--"],
  ...command,
];

function loseDatabase() {
  for (const name of readdirSync(sortie.home()))
    if (name.startsWith("sortie.db")) rmSync(join(sortie.home(), name));
}

describe("adopt", () => {
  it("takes up every run of a name, though only one of them may live", async () => {
    const ids: string[] = [];
    for (const code of [0, 3]) {
      const { run } = await sortie.ask(makeCall(["sh", "-c", `exit ${code}`], "--name", "exp"));
      ids.push(run.id);
    }
    ids.push((await sortie.launch(LIVE, ["--name", "exp", "--grace", "1"])).id);
    loseDatabase();
    const { adopted, skipped } = await sortie.ask(["adopt"]);
    expect(skipped).toEqual([]);
    expect(adopted.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    const states = await Promise.all(ids.map(async (id) => (await sortie.show(id)).state));
    expect(states).toEqual(["succeeded", "failed", "running"]);
    expect((await sortie.show(ids[1] as string)).cause).toMatch(/code 3/);
  });

  it("leaves a waiting run of another home alone, and its start too", async () => {
    const { env } = makeFakeGpus(sortie.temp());
    const holder = await sortie.launch(LIVE, ["--grace", "1"], { env });
    const waiting = await sortie.launch(["true"], ["--wait-gpu"], { env });
    expect(waiting.state).toBe("waiting");
    const other = { env: { ...env, SORTIE_HOME: join(sortie.temp(), "other home") } };
    const { adopted, skipped } = await sortie.ask(["adopt", "--job-dir", join(sortie.home(), "jobs")], other);
    expect(adopted.map(({ id }: { id: string }) => id)).toEqual([holder.id]);
    expect(skipped).toEqual([{ folder: waiting.jobFolder, reason: expect.stringContaining("not started") }]);
    expect(existsSync(join(waiting.jobFolder, "pid"))).toBe(false);
    await sortie.run(["stop", holder.id]);
    expect(await sortie.waitForState(waiting.id, ["succeeded"])).toMatchObject({ exitCode: 0 });
    await sortie.waitForState(holder.id, ["stopped"]);
  });

  it("leaves folders that are no run's, whatever lies in them", async () => {
    const { run } = await sortie.ask(makeCall(["true"]));
    const text = readFileSync(join(run.jobFolder, "meta.json"), "utf8");
    const metas = { "r-other": text, "r-empty": "{}", "r-half": text.slice(0, 50), "r-none": null };
    for (const [name, meta] of Object.entries(metas)) {
      mkdirSync(join(sortie.home(), "jobs", name));
      if (meta !== null) writeFileSync(join(sortie.home(), "jobs", name, "meta.json"), meta);
    }
    const { exit, adopted, skipped } = await sortie.ask(["adopt"]);
    expect({ exit, adopted }).toEqual({ exit: 0, adopted: [] });
    expect(skipped).toHaveLength(4);
  });
});

it("recorded code outlives a lost database, before and after its run is adopted", async () => {
  await sortie.runner.run(["git", "init", "-q"], {
    cwd: sortie.project(),
    env: sortie.makeEnv(),
    timeoutMs: 9000,
  });
  writeFileSync(join(sortie.project(), "train.py"), "print(1)\n");
  const { run, plan } = await sortie.ask(makeCall(["true"]));
  const folder = join(sortie.home(), "plans", plan.id);
  const left = join(sortie.home(), "plans", "p-killed");
  expect(existsSync(join(folder, "objects"))).toBe(true);
  const age = () => {
    mkdirSync(left, { recursive: true });
    for (const path of [folder, left]) utimesSync(path, 1, 1);
  };
  loseDatabase();
  for (const step of ["lost", "adopted"]) {
    if (step === "adopted") expect((await sortie.ask(["adopt"])).adopted).toMatchObject([{ id: run.id }]);
    age();
    await sortie.ask(["run", "--target", "local", "--", "true"]);
    expect([existsSync(folder), existsSync(left)]).toEqual([true, false]);
  }
  // Also where the job folder lies elsewhere.
  age();
  rmSync(join(run.jobFolder, "meta.json"));
  await sortie.ask(["run", "--target", "local", "--", "true"]);
  expect(existsSync(folder)).toBe(true);
});
