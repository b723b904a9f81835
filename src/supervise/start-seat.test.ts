import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SEAT_TOKEN, type SeatCase, withSeatCase } from "../../test/support/seats.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { collectRun } from "./collect-run.ts";
import { WAITING_STEPS } from "./launch-steps.ts";
import { settleRun } from "./settle-runs.ts";

const checkout = join(import.meta.dirname, "../..");

/** Starts the attempt that a run waits for, and kills itself with signal 9 right after a step. */
const DRIVER = `
import { loadRun } from "../runs/run-store.ts";
import { openDesk } from "./desk.ts";
import { startSeat } from "./start-seat.ts";
const [id, dieAt, self] = process.argv.slice(2);
const desk = openDesk({ env: process.env, self: [process.execPath, self] });
void startSeat(desk, loadRun(desk.store, id), (step) => {
  if (step === dieAt) process.kill(process.pid, "SIGKILL");
});
`;

let folder = "";
const driver = () => join(folder, "start-seat.cjs");

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sortie-start-seat-"));
  const flags = [
    "--bundle",
    "--platform=node",
    "--format=cjs",
    "--loader=ts",
    "--loader:.sh=text",
    "--loader:.py=text",
  ];
  const more = ["--external:libsql", "--log-level=error", `--outfile=${driver()}`];
  const esbuild = join(checkout, "node_modules", ".bin", "esbuild");
  execFileSync(esbuild, [...flags, ...more], { cwd: import.meta.dirname, input: DRIVER });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const killAt = (place: SeatCase, id: string, step: string) =>
  place.sortie.runner.run([process.execPath, driver(), id, step, place.desk.self[1] as string], {
    env: { ...place.env, NODE_PATH: join(checkout, "node_modules") },
    cwd: place.folder,
    timeoutMs: 30_000,
  });

describe.concurrent("L42 a watcher is killed with signal 9 right after a step of starting an agent again", () => {
  it.each(WAITING_STEPS)("L42 %s: there is one second attempt, and no third", (step) =>
    withSeatCase(async (place) => {
      const ran = join(place.folder, "ran");
      const text = `echo "$SORTIE_ATTEMPT" >>"$1"; echo up; [ "$SORTIE_ATTEMPT" -gt 1 ] || exec sleep 300`;
      const { id, jobFolder } = await place.start(await place.park(["sh", "-c", text, "sh", ran]));
      await place.killCommand(id);
      await place.waitForState(id, "waiting");
      expect(await killAt(place, id, step)).toMatchObject({ signal: "SIGKILL", stderr: "" });
      const ended = await waitFor(
        async () => {
          const run = await settleRun(place.desk, id);
          if (run.state === "waiting") await place.start(run);
          return run.endedAt === null ? null : run;
        },
        { timeoutMs: 30_000, intervalMs: 100, what: "the end of the run" },
      );
      expect(ended).toMatchObject({ state: "succeeded", attempt: 2, exitCode: 0 });
      expect(readFileSync(ran, "utf8")).toBe("1\n2\n");
      expect(readdirSync(join(jobFolder, "attempts"))).toEqual(["2"]);
      await collectRun(place.desk, id);
      await waitFor(() => place.listProcesses().length === 0, { what: "no process left" });
      expect(listHolders(place.folder)).toEqual([]);
    }),
  );
});

/** Files that hold the token. */
function listHolders(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => existsSync(path) && readFileSync(path).includes(SEAT_TOKEN));
}
