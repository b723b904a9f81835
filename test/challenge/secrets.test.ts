import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { useFleetStage } from "../support/fleet-stage.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { SORTIE } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const stage = useFleetStage();

it("a job's tokens are in its owner's private files alone while agents run, whatever the umask", async () => {
  const { sortie } = stage;
  const { desk, job } = await stage.submit({ gpus: 2, parallelism: 2 });
  const own = 'printf "RUNNING $1\\n"; while [ ! -e end ]; do sleep 0.1; done';
  writeFileSync(join(sortie.project(), "own.sh"), `#!/bin/sh\n${own}\n`, { mode: 0o755 });
  const hasSecret = (text: string | Buffer) => [job.token, job.login].some((secret) => text.includes(secret));
  const listHolders = () =>
    readdirSync(sortie.temp(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => hasSecret(readQuietly(path)))
      .map((path) => `${relative(sortie.temp(), path)} ${(statSync(path).mode & 0o777).toString(8)}`);
  const readQuietly = (path: string) => {
    try {
      return readFileSync(path);
    } catch {
      return ""; // a half-written record: it has its own name by now
    }
  };
  const stateFile = "person/.simubotix-challenge.env 600";

  const launch = [SORTIE, "agents", "launch", "--agents", "2", "--runner", "./own.sh", "--yes", "--detach"];
  const { exitCode, stdout, stderr } = await sortie.runner.run(
    ["sh", "-c", 'umask 000; exec "$@"', "sh", process.execPath, ...launch],
    { env: desk.env, cwd: sortie.project(), timeoutMs: 60_000 },
  );
  expect(exitCode, stderr).toBe(0);
  await stage.waitForFleet(
    desk,
    ({ agents }) => agents.every(({ state }) => state === "running"),
    "both agents",
  );
  const privateEnv = expect.stringMatching(/^sortie home\/jobs\/[^/]+\/env 600$/);
  expect(listHolders().sort()).toEqual([stateFile, privateEnv, privateEnv]);
  expect(findOwnProcesses().filter(({ command }) => hasSecret(command))).toEqual([]);

  const documents = [
    ["agents", "ls"],
    ["agents", "logs"],
    ["doctor", "--job"],
    ["ls"],
    ["challenge", "jobs"],
  ];
  const printed = await Promise.all(
    documents.map((args) => sortie.run([...args, "--json"], { env: desk.env })),
  );
  expect([stdout, stderr, ...printed.flatMap((one) => [one.stdout, one.stderr])].filter(hasSecret)).toEqual(
    [],
  );

  writeFileSync(join(sortie.project(), "end"), "");
  await waitFor(() => listHolders().length === 1, { timeoutMs: 20_000, what: "the end of every copy" });
  expect(listHolders()).toEqual([stateFile]);
});
