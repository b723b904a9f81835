import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, stop } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { makeProgramPlugin } from "../scripts/bundle/program-plugin.mjs";
import { makeLocalRunner } from "../src/process/local-runner.ts";
import { makeAction } from "./support/actions.ts";
import { useTempFolder } from "./support/temp-folder.ts";

const checkout = join(import.meta.dirname, "..");
const folder = useTempFolder();
afterAll(() => stop());

/** Plays a case of two observations in a worker thread, and prints how it went. */
const program = `
  import { openWorkerSeats } from "${checkout}/src/gateway/simulators/worker-seats.ts";
  import { pack } from "${checkout}/src/payload/pack.ts";
  const board = { name: "arms", payload: "g2", simulator: "reach", steps: 2, tasks: [] };
  const { seats, close } = openWorkerSeats([board], 1, (fault) => process.stderr.write(fault.message));
  const policy = { sessionId: "s", infer: async () => pack(${JSON.stringify(makeAction())}) };
  const spec = { board: "arms", task: "t", index: 0, seed: 1 };
  seats[0].play(policy, spec, new AbortController().signal)
    .then(({ steps }) => process.stdout.write(steps + " steps"))
    .finally(close);
`;

test.each([
  ["esm", "mjs"],
  ["cjs", "cjs"],
] as const)(
  "a worker program runs out of a bundle of format %s, started from any folder",
  async (format, ending) => {
    const entry = join(folder(), "entry.ts");
    const bundle = join(folder(), `bundle.${ending}`);
    writeFileSync(entry, program);
    symlinkSync(join(checkout, "node_modules"), join(folder(), "node_modules"));
    await build({
      entryPoints: [entry],
      outfile: bundle,
      format,
      bundle: true,
      platform: "node",
      plugins: [makeProgramPlugin()],
    });
    const run = await makeLocalRunner().run([process.execPath, bundle], { cwd: "/", timeoutMs: 60_000 });
    expect({ stdout: run.stdout, stderr: run.stderr }).toEqual({ stdout: "2 steps", stderr: "" });
  },
);
