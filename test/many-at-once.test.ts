import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openStore } from "../src/store/open-store.ts";
import { withCrashCase } from "./support/crash-case.ts";
import { useSortie } from "./support/sortie.ts";
import { waitFor } from "./support/wait-for.ts";

const sortie = useSortie();

it("L42 two launchers at once, each with five runs: ten runs, each of them once, with a name of its own", () =>
  withCrashCase(async (crash) => {
    const launchFive = () =>
      Promise.all(
        Array.from({ length: 5 }, () =>
          crash.ask([
            "run",
            "--target",
            "local",
            "--gpus",
            "none",
            "--yes",
            "--detach",
            "--",
            ...crash.command,
          ]),
        ),
      );
    const launched = (await Promise.all([launchFive(), launchFive()])).flat();
    expect(launched.map(({ exitCode }) => exitCode)).toEqual(Array(10).fill(0));
    const runs = await crash.settle();
    expect(runs.map(({ state }: { state: string }) => state)).toEqual(Array(10).fill("succeeded"));
    expect(new Set(runs.map(({ name }: { name: string }) => name)).size).toBe(10);
    expect(crash.countRuns()).toBe(10);
    await crash.expectClean();
  }));

it.each(["WAL", "DELETE"])(
  "fifty processes write to one new database at once, none is refused, nothing lost: %s",
  async (mode) => {
    const ready = join(sortie.temp(), "ready");
    const go = join(sortie.temp(), "go");
    mkdirSync(ready);
    if (mode === "DELETE") {
      mkdirSync(sortie.home(), { mode: 0o700 });
      openStore(join(sortie.home(), "sortie.db"), { isOnNetwork: () => true }).close();
    }
    const script = fileURLToPath(new URL("support/write-events.mjs", import.meta.url));
    const writers = Array.from({ length: 50 }, (_, number) =>
      sortie.runner.run(
        [process.execPath, script, JSON.stringify({ name: `writer ${number}`, count: 10, ready, go })],
        { env: sortie.makeEnv(), timeoutMs: 60_000 },
      ),
    );
    await waitFor(() => readdirSync(ready).length === 50, { timeoutMs: 40_000, what: "fifty writers" });
    writeFileSync(go, "");
    const outcomes = await Promise.all(writers);
    expect(outcomes.filter(({ exitCode }) => exitCode !== 0).map(({ stderr }) => stderr)).toEqual([]);
    const store = openStore(join(sortie.home(), "sortie.db"));
    const found = store.find(
      "SELECT count(*) AS events, count(DISTINCT run_id || kind) AS different FROM events",
    );
    store.close();
    expect(found).toMatchObject({ events: 500, different: 500 });
  },
);
