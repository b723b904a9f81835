import { describe, expect, it } from "vitest";
import { SORTIE, useSortie } from "./support/sortie.ts";

const sortie = useSortie();

/** The exit code of a command whose reader goes after the first line, and that line. */
const readOneLine = async (...args: string[]) => {
  const script = '"$@" | head -n 1; echo "$PIPESTATUS"';
  const argv = ["bash", "-c", script, "bash", process.execPath, SORTIE, ...args];
  const outcome = await sortie.runner.run(argv, {
    env: sortie.makeEnv(),
    cwd: sortie.project(),
    timeoutMs: 60_000,
  });
  const lines = outcome.stdout.trim().split("\n");
  return { line: lines[0], exitCode: Number(lines.at(-1)), stderr: outcome.stderr };
};
const TALK = "for i in 1 2 3 4 5 6 7 8 9; do echo line $i; sleep 0.05; done";

describe("a reader that goes early", () => {
  it.each([
    ["exit 3", 1],
    ["exit 0", 0],
  ])("leaves a run its exit code: %s", async (end, exitCode) => {
    const flags = ["run", "--target", "local", "--yes", "--", "sh", "-c", `${TALK}; ${end}`];
    expect(await readOneLine(...flags)).toMatchObject({ exitCode, stderr: "" });
    expect((await sortie.ask(["ls"])).runs).toMatchObject([
      { state: exitCode === 0 ? "succeeded" : "failed" },
    ]);
  });

  it("ends the following of a log that goes on", async () => {
    const run = await sortie.launch(["sh", "-c", `while :; do ${TALK}; done`], ["--grace", "1"]);
    expect(await readOneLine("logs", "-f", "-n", "10000", run.id)).toMatchObject({
      line: "line 1",
      exitCode: 0,
    });
    expect(await sortie.show(run.id)).toMatchObject({ state: "running" });
  });

  it("is no fault of a command that only tells", async () => {
    expect(await readOneLine("--help")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await readOneLine("show", "no-such-run")).toMatchObject({ exitCode: 2 });
  });
});

it("output that cannot be written is said in two lines, and the run goes on to its end", async () => {
  const run = await sortie.launch(["echo", "1"], ["--name", "first"]);
  await sortie.waitForState(run.id, ["succeeded"]);
  const flags = ["--target", "local", "--yes", "--name", "second"];
  const commands = [["ls"], ["ls", "--json"], ["logs", "first"], ["help"], ["run", ...flags, "echo", "1"]];
  for (const args of commands) {
    const argv = ["bash", "-c", '"$@" >/dev/full', "bash", process.execPath, SORTIE, ...args];
    const { exitCode, stderr } = await sortie.runner.run(argv, {
      env: sortie.makeEnv(),
      cwd: sortie.project(),
      timeoutMs: 60_000,
    });
    expect([args[0], exitCode]).toEqual([args[0], 5]);
    expect(stderr).toMatch(/^error: The output cannot be written: ENOSPC.*\n.*`sortie ls` shows it\.\n$/);
  }
  expect(await sortie.show("second")).toMatchObject({ state: "succeeded" });
});
