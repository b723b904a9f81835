import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SORTIE, useSortie } from "./support/sortie.ts";

const sortie = useSortie();

/** Calls the executable file itself, as a person does, and not `node` with it. */
const call = (...args: string[]) =>
  sortie.runner.run([SORTIE, ...args], {
    env: sortie.makeEnv({ NODE_OPTIONS: undefined }),
    cwd: sortie.project(),
    timeoutMs: 60_000,
  });
const write = (name: string, text: string) => writeFileSync(join(sortie.project(), name), text);

it("Node.js does not take --env-file for its own", async () => {
  const missing = await call("run", "--env-file", "nowhere.env", "--", "true");
  expect(missing.exitCode).toBe(2);
  expect(missing.stderr).toMatch(/^error: .*nowhere\.env cannot be read/);

  write("evil.cjs", "require('node:fs').writeFileSync('touched', '')");
  write("evil.env", "NODE_OPTIONS=--require=./evil.cjs\n");
  const flags = ["--target", "local", "--yes", "--gpus", "none"];
  const passed = await call(
    "run",
    ...flags,
    "--env-file",
    "evil.env",
    "--",
    "sh",
    "-c",
    'echo "$NODE_OPTIONS"',
  );
  expect(passed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(passed.stdout).toContain("--require=./evil.cjs");
  const own = await call("run", ...flags, "test", "a", "!=", "--env-file", "-a", "-e", "touched");
  expect(own).toMatchObject({ exitCode: 1, stderr: "" });
  const given = await call("run", ...flags, "--name", "given", "echo", "--env-file", "evil.env");
  expect(given.exitCode).toBe(0);
  const log = (await sortie.show("given")).log;
  expect(readFileSync(log, "utf8")).toBe("--env-file evil.env\n");
});

it("it is said where Node.js has read the file", async () => {
  write("my.env", "A=1\n");
  const args = ["run", "--target", "local", "--env-file", "my.env", "--", "true"];
  const { exitCode, stderr } = await sortie.run(args);
  expect(exitCode).toBe(3);
  expect(stderr).toContain(`call it as a program instead: '${SORTIE}'`);
  const behind = await sortie.run(["run", "--target", "local", "--", "true", "--env-file=my.env"]);
  expect(behind.stderr).not.toContain("as a program");
});

it("a fault in the file names its line", async () => {
  write("my.env", "  # one\r\nGOOD=1\r\nBAD-KEY=1\r\n");
  const { exitCode, stderr } = await call("run", "--target", "local", "--env-file", "my.env", "--", "true");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("my.env:3 cannot be read: a shell cannot set a variable of this name.");
});
