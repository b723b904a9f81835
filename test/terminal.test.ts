import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeFakeGpus, makeFakeUuid } from "./support/fake-gpus.ts";
import { SORTIE, useSortie } from "./support/sortie.ts";
import { waitFor } from "./support/wait-for.ts";

const sortie = useSortie();
const DRIVER = fileURLToPath(new URL("support/terminal.py", import.meta.url));
/** Higher than any process number of Linux. */
const NO_PID = 4_194_305;
const ENTER = "\r";
const CTRL_C = "\u0003";
const DOWN = "\u001b[B";

interface Terminal {
  readonly shown: string;
  readonly exit: number;
  readonly missed: string | null;
}

/** A person at a terminal of 80 columns: waits for a text, then types, and so on. */
const type = async (
  args: readonly string[],
  steps: readonly (readonly [string, string])[],
  { columns = 80, env = {} }: { columns?: number; env?: Record<string, string> } = {},
): Promise<Terminal> => {
  const call = { argv: [process.execPath, SORTIE, ...args], rows: 30, columns, steps };
  const outcome = await sortie.runner.run(["python3", DRIVER], {
    stdin: JSON.stringify(call),
    env: { ...sortie.makeEnv(env), TERM: "xterm-256color" },
    cwd: sortie.project(),
    timeoutMs: 60_000,
  });
  return JSON.parse(outcome.stdout) as Terminal;
};
const runArgs = (...command: string[]) => ["run", "--target", "local", "--name", "seen", "--", ...command];
// The command is shown too: only its log has the word whole.
const SLOW = ["sh", "-c", "echo be''gun; sleep 300"];

describe("on a terminal", () => {
  it("a run asks, follows its log, and ends with its class", async () => {
    const bar = `import sys, time
for i in range(5):
    sys.stdout.write(f"\\repoch {i + 1}/5"); sys.stdout.flush(); time.sleep(0.1)
print("\\nover"); sys.exit(3)`;
    const { shown, exit, missed } = await type(runArgs("python3", "-c", bar), [["Launch it?", ENTER]]);
    expect(missed).toBeNull();
    expect(exit).toBe(1);
    expect(shown).toContain("epoch 5/5");
    expect(shown).toContain("over");
    expect(shown).toMatch(/seen failed after \d+ s, exit code 3/);
    for (const line of shown.split(/\r?\n/)) expect(line.replace(/^.*\r/, "").length).toBeLessThan(400);
  });

  it("a no launches nothing", async () => {
    const { exit, shown } = await type(runArgs("true"), [["Launch it?", `n${ENTER}`]]);
    expect(exit).toBe(3);
    expect(shown).toMatch(/Not launched. The plan keeps for 24 h: sortie confirm \w+/);
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
    const init = await type(["init", "--kind", "local"], [["Write it?", `n${ENTER}`]]);
    expect(init.exit).toBe(3);
    expect(init.shown).toMatch(/Not written\.\s*$/);
  });

  it("Ctrl-C at a question interrupts", async () => {
    const interrupt = async (question: string, args: readonly string[]) => {
      const { exit, shown } = await type(args, [[question, CTRL_C]]);
      expect([question, exit]).toEqual([question, 130]);
      expect(shown).toMatch(/error: Interrupted\.\s+Nothing was done\.\s*$/);
    };
    await interrupt("Run on this machine?", ["run", "--", "true"]);
    await interrupt("Launch it?", runArgs("true"));
    await interrupt("Where does the work run?", ["init"]);
    await interrupt("Write it?", ["init", "--kind", "local"]);
    const section = (name: string) => `## ${name}\n- gpu: local\n- results: ${name}/\n\n`;
    writeFileSync(join(sortie.project(), "AGENTS.md"), section("one") + section("two"));
    await interrupt("On which target?", ["run", "--", "true"]);
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
  });

  it("Ctrl-C asks: leave it running", async () => {
    const steps = [
      ["Launch it?", ENTER],
      ["begun", CTRL_C],
      ["What now?", `${DOWN}${ENTER}`],
    ] as const;
    const { exit, missed, shown } = await type(runArgs(...SLOW), steps);
    expect([exit, missed]).toEqual([0, null]);
    expect(shown).toContain("seen goes on");
    expect(await sortie.show("seen")).toMatchObject({ state: "running" });
  });

  it("Ctrl-C asks: stop it", async () => {
    const steps = [
      ["Launch it?", ENTER],
      ["begun", CTRL_C],
      ["What now?", `${DOWN}${DOWN}${ENTER}`],
    ] as const;
    const { exit, missed } = await type(runArgs(...SLOW), steps);
    expect([exit, missed]).toEqual([1, null]);
    expect(await sortie.show("seen")).toMatchObject({ state: "stopped", endReason: "stopped" });
  });

  it("Ctrl-C asks: stop it, and what is left of it is told", async () => {
    const fake = makeFakeGpus(sortie.temp());
    const steps = [
      ["Launch it?", ENTER],
      ["begun", CTRL_C],
      ["What now?", `${DOWN}${DOWN}${ENTER}`],
    ] as const;
    const typing = type(runArgs(...SLOW), steps, { env: fake.env });
    await waitFor(async () => (await sortie.ask(["ls"])).runs[0]?.state === "running", { what: "a run" });
    fake.changeGpu(0, { memoryUsed: 70_000 });
    fake.setProcesses([{ gpuUuid: makeFakeUuid(0), pid: NO_PID, memory: 69_000 }]);
    const { exit, missed, shown } = await typing;
    expect([exit, missed]).toEqual([1, null]);
    expect(shown.replaceAll(/\s+/g, " ")).toMatch(/not all of it is gone: 70000 MiB on GPU-/);
  });

  it("Ctrl-C asks: go on watching", async () => {
    const command = ["sh", "-c", "echo be''gun; sleep 3; echo ended"];
    const steps = [
      ["Launch it?", ENTER],
      ["begun", CTRL_C],
      ["What now?", ENTER],
    ] as const;
    const { exit, missed, shown } = await type(runArgs(...command), steps);
    expect([exit, missed]).toEqual([0, null]);
    expect(shown).toMatch(/ended[\s\S]*seen succeeded/);
  });

  it("several targets are a question", async () => {
    const section = (name: string) => `## ${name}\n- gpu: local\n- results: ${name}/\n\n`;
    writeFileSync(join(sortie.project(), "AGENTS.md"), section("one") + section("two"));
    const steps = [
      ["On which target?", `${DOWN}${ENTER}`],
      ["Launch it?", ENTER],
    ] as const;
    const { exit, missed } = await type(["run", "--name", "seen", "--", "true"], steps);
    expect([exit, missed]).toEqual([0, null]);
    expect(await sortie.show("seen")).toMatchObject({ target: "two" });
  });

  it("no target is a question whose usual answer is no", async () => {
    const refused = await type(["run", "--", "true"], [["Run on this machine?", ENTER]]);
    expect(refused.exit).toBe(2);
    const steps = [
      ["Run on this machine?", `y`],
      ["Launch it?", ENTER],
    ] as const;
    expect((await type(["run", "--", "true"], steps)).exit).toBe(0);
  });

  it("lines of a fault are no wider than the terminal", async () => {
    const { exit, shown } = await type(["run", "--target", "nowhere", "--", "true"], [], { columns: 40 });
    expect(exit).toBe(2);
    const lines = shown.trim().split("\r\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(lines.join(" ")).toContain("`local` is this machine.");
    for (const command of ["help", "doctor"]) {
      const { stdout } = await sortie.run([command]);
      const prose = stdout.split("\n").filter((line) => !line.includes("/"));
      expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(80);
    }
  });
});
