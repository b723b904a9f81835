import { expect, it } from "vitest";
import { SORTIE, useSortie } from "./support/sortie.ts";

const sortie = useSortie();

/** The command in a folder that was removed while a shell stood in it. */
async function askInDeleted(args: readonly string[]) {
  const enter = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const argv = ["sh", "-c", enter, "sh", process.execPath, SORTIE, ...args];
  const options = { env: sortie.makeEnv(), cwd: sortie.project(), timeoutMs: 60_000 };
  const outcome = await sortie.runner.run(argv, options);
  return { ...JSON.parse(outcome.stdout), exit: outcome.exitCode };
}

it("in a folder that was removed, what needs a folder says so, and all else goes on", async () => {
  const run = ["run", "--json", "--target", "local", "--yes"];
  for (const args of [
    [...run, "--", "true"],
    ["targets", "--json"],
    [...run, "--cwd", "x", "--", "true"],
  ]) {
    expect(await askInDeleted(args)).toMatchObject({ exit: 2, error: { code: "folder_missing" } });
  }
  expect(await askInDeleted(["ls", "--json"])).toMatchObject({ exit: 0, runs: [] });
  const elsewhere = await askInDeleted([...run, "--cwd", sortie.project(), "--", "true"]);
  expect(elsewhere).toMatchObject({ exit: 0, run: { state: "succeeded" } });
});
