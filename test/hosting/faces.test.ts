import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { writeGatewayConfig } from "../support/gateway-process.ts";
import { SORTIE, useSortie } from "../support/sortie.ts";

const sortie = useSortie();
const DRIVER = fileURLToPath(new URL("../support/terminal.py", import.meta.url));
const ENTER = "\r";

beforeEach(() => void writeGatewayConfig(sortie));

/** A person at a terminal: waits for a text, then types, and so on. */
const type = async (args: readonly string[], steps: readonly (readonly [string, string])[]) => {
  const call = { argv: [process.execPath, SORTIE, ...args], rows: 30, columns: 80, steps };
  const outcome = await sortie.runner.run(["python3", DRIVER], {
    stdin: JSON.stringify(call),
    env: { ...sortie.makeEnv(), TERM: "xterm-256color" },
    cwd: sortie.project(),
    timeoutMs: 60_000,
  });
  return JSON.parse(outcome.stdout) as { shown: string; exit: number; missed: string | null };
};

describe("on a terminal", () => {
  it("a change asks first, and a no does nothing", async () => {
    const add = ["gateway", "user", "add", "amy@example.org"];
    const refused = await type(add, [["Do it?", `n${ENTER}`]]);
    expect(refused).toMatchObject({ exit: 3, missed: null });
    expect(refused.shown).toMatch(/Not done\. The plan keeps for 24 h: sortie confirm \w+/);
    const done = await type(add, [["Do it?", ENTER]]);
    expect(done).toMatchObject({ exit: 0, missed: null });
    expect(done.shown).toMatch(/Password, shown only here: \w{16}/);
  });

  it("a password is typed unseen", async () => {
    const add = ["gateway", "user", "add", "amy@example.org", "--password-stdin"];
    const { shown, exit, missed } = await type(add, [
      ["Do it?", ENTER],
      ["The password", `correct horse${ENTER}`],
    ]);
    expect([exit, missed]).toEqual([0, null]);
    expect(shown).not.toContain("correct horse");
    expect(shown).not.toContain("shown only here");
  });
});

describe("commands below a command", () => {
  const complete = async (...words: string[]) =>
    (await sortie.run(["complete", "--", ...words])).stdout.trim().split("\n");

  it("are completed, and so are their options", async () => {
    expect(await complete("gate")).toEqual(["gateway"]);
    expect(await complete("gateway", "si")).toEqual(["simulator"]);
    expect(await complete("gateway", "user", "pa")).toEqual(["passwd", "parallelism"]);
    expect(await complete("gateway", "user", "add", "--pass")).toEqual(["--password-stdin"]);
    expect(await complete("gateway", "--gr")).toEqual(["--grace"]);
    expect(await complete("gateway", "bogus", "")).toEqual([""]);
  });

  it("are listed by help, and a wrong word is answered with the nearest", async () => {
    const read = async (...args: string[]) => (await sortie.run(args)).stdout;
    expect(await read("gateway", "--help")).toMatch(
      /Usage: sortie gateway .*\n[\s\S]*\n {2}requeue {4}play cases/,
    );
    expect(await read("gateway", "user", "--help")).toMatch(/\n {2}passwd {7}change a password\n/);
    expect(await read("gateway", "user", "add", "--help")).toContain(
      "Usage: sortie gateway user add [options] <email>",
    );
    const refuse = async (...args: string[]) => {
      const { exitCode, stderr } = await sortie.run(args);
      return [exitCode, stderr];
    };
    expect(await refuse("gateway", "usr")).toEqual([
      2,
      "error: There is no command gateway usr; did you mean user?\n`sortie gateway user --help` shows what it takes.\n",
    ]);
    expect(await refuse("gateway", "user")).toEqual([
      2,
      "error: One word more is needed: add, passwd, quota, parallelism, rm, ls.\n`sortie gateway user --help` shows what it takes.\n",
    ]);
    expect((await sortie.ask(["gateway", "user", "bogus"])).error.code).toBe("usage");
  });
});

describe("under nohup", () => {
  it("the gateway outlives its terminal", async () => {
    const script = `
      nohup "$SORTIE" gateway --json >out 2>log & gateway=$!
      while ! [ -s out ]; do sleep 0.05; done
      kill -HUP $gateway; sleep 0.2; kill -0 $gateway && kill -TERM $gateway; wait $gateway`;
    const outcome = await sortie.runner.run(["sh", "-c", script], {
      env: sortie.makeEnv({ SORTIE, PATH: `${join(process.execPath, "..")}:${process.env["PATH"]}` }),
      ...{ cwd: sortie.project(), timeoutMs: 60_000 },
    });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: "" });
  });
});
