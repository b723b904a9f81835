import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SORTIE, useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const LIVE = ["sh", "-c", "echo up; exec sleep 300"];
const makeCall = (...flags: string[]) => ["run", "--target", "local", "--yes", ...flags, "--", "true"];

/** Runs the words of a document as a person would who pastes them into a shell. */
const paste = async (words: string) => {
  const script = `sortie() { "$NODE" "$COMMAND" "$@"; }; ${words} --json`;
  const env = { ...sortie.makeEnv(), NODE: process.execPath, COMMAND: SORTIE };
  const outcome = await sortie.runner.run(["sh", "-c", script], {
    env,
    cwd: sortie.project(),
    timeoutMs: 60_000,
  });
  return { ...JSON.parse(outcome.stdout), exit: outcome.exitCode };
};

describe("the words that confirm", () => {
  it("clean forget the runs that were shown, and no other", async () => {
    const ids: string[] = [];
    for (const name of ["a", "b"]) ids.push((await sortie.ask(makeCall("--name", name))).run.id);
    const asked = await sortie.ask(["clean", "a"]);
    expect(asked).toMatchObject({ exit: 3, clean: { forget: ["a"], keep: [] } });
    expect(asked.confirm).toBe(`sortie clean ${ids[0]} --yes`);
    const all = await sortie.ask(["clean", "--older-than", "0s"]);
    expect(all.clean.forget.sort()).toEqual(["a", "b"]);
    expect((await sortie.ask(makeCall("--name", "a"))).exit).toBe(0);
    expect(await paste(asked.confirm)).toMatchObject({ exit: 0, forgotten: ["a"] });
    const left = (await sortie.ask(["ls"])).runs.map(({ name }: { name: string }) => name);
    expect(left.sort()).toEqual(["a", "b"]);
  });

  it("init write the section that was shown", async () => {
    const flags = ["--kind", "local", "--heading", "My own box", "--set", "Conda env=research"];
    const asked = await sortie.ask(["init", ...flags, "--set", "results=it's out/"]);
    expect(asked.exit).toBe(3);
    expect(await paste(asked.confirm)).toMatchObject({ exit: 0, section: asked.section });
    expect(readFileSync(join(sortie.project(), "AGENTS.md"), "utf8")).toBe(asked.section);
  });
});

describe("a run whose container is gone", () => {
  /** The command in a neighbouring container, from which no process of ours can be seen. */
  const askInside = async (...args: string[]) => {
    const wrap = ["unshare", "--pid", "--fork", "--mount-proc"];
    const outcome = await sortie.runner.run([...wrap, process.execPath, SORTIE, ...args, "--json"], {
      env: sortie.makeEnv(),
      cwd: sortie.project(),
      timeoutMs: 30_000,
    });
    return { ...JSON.parse(outcome.stdout), exit: outcome.exitCode };
  };

  it("is forgotten with --lost, after a yes, and nothing of it is touched", async () => {
    const run = await sortie.launch(LIVE, ["--name", "gone", "--grace", "1"]);
    const refused = await askInside("clean", "gone", "--yes");
    expect(refused).toMatchObject({ exit: 5, error: { code: "run_out_of_reach" } });
    expect(refused.error.hint).toContain("sortie clean --lost gone");
    const { findings } = await askInside("doctor");
    expect(findings.find(({ what }: { what: string }) => what === "runs").advice).toContain("--lost");

    const asked = await askInside("clean", "--lost", "gone");
    expect(asked).toMatchObject({ exit: 3, confirm: `sortie clean --lost ${run.id} --yes` });
    expect(await askInside("clean", "--lost", "gone", "--yes")).toMatchObject({
      exit: 0,
      forgotten: ["gone"],
    });
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
    expect(existsSync(run.log)).toBe(true);

    // It was not lost after all: its own container takes it up again.
    expect((await sortie.ask(["adopt"])).adopted).toMatchObject([{ id: run.id }]);
    expect(await sortie.show("gone")).toMatchObject({ state: "running", reachable: true, pid: run.pid });
    expect(await sortie.ask(["stop", "gone"])).toMatchObject({ exit: 0, state: "stopped" });
  });

  it("is not called so while it can be seen", async () => {
    await sortie.launch(LIVE, ["--name", "live", "--grace", "1"]);
    const live = await sortie.ask(["clean", "--lost", "live", "--yes"]);
    expect(live).toMatchObject({ exit: 2, error: { code: "run_live" } });
    await sortie.run(["stop", "live"]);
    const ended = await sortie.ask(["clean", "--lost", "live", "--yes"]);
    expect(ended).toMatchObject({ exit: 2, error: { code: "value_bad" } });
    expect((await sortie.ask(["ls"])).runs).toHaveLength(1);
  });
});
