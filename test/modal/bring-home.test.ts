import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunRecord } from "../../src/runs/run-record.ts";
import { closeDesk, type Desk, openDesk } from "../../src/supervise/desk.ts";
import { bringModalHome } from "../../src/supervise/modal/bring-modal-home.ts";
import { useModal } from "../support/modal/modal-stage.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const modal = useModal();
const folder = useTempFolder();
const RUN = "r0123456789";
const path = `results/${RUN}`;
let desk: Desk;

beforeEach(() => {
  const env = { ...process.env, ...modal.env(), HOME: folder(), SORTIE_HOME: join(folder(), "home") };
  desk = openDesk({ env, self: ["false"] });
  modal.addVolume("kept");
  mkdirSync(join(folder(), "job"));
  writeFileSync(join(folder(), "job", "log"), "what was followed\n");
});

afterEach(() => closeDesk(desk));

function setApp(state: string) {
  const app = { app_id: "ap-one0000", description: `sortie-${RUN}`, state, tasks: "0", created_at: null };
  writeFileSync(
    join(modal.env().MODAL_DOUBLE, "apps", "one.json"),
    JSON.stringify({ ...app, functions: [] }),
  );
}

/** A run whose follower was killed: it left no word of its end. */
function bring() {
  const jobFolder = join(folder(), "job");
  const run = {
    ...{ id: RUN, name: "killed", state: "lost", jobFolder, log: join(jobFolder, "log"), attempt: 1 },
    ...{ request: { cwd: folder() }, modal: { app: `sortie-${RUN}` } },
  } as RunRecord;
  return bringModalHome(desk, run, { volume: "kept", path, into: join(folder(), "results") });
}

test("a run whose follower was killed is not brought home while it goes on, and then with what it had kept", async () => {
  setApp("ephemeral (detached)");
  await expect(bring()).rejects.toMatchObject({ code: "modal_still_running", retryable: true });
  setApp("stopped");
  const kept = modal.findOnVolume("kept", "results", RUN);
  mkdirSync(join(kept, "code", "results"), { recursive: true });
  writeFileSync(join(kept, "code", "results", "a"), "half");
  const home = await bring();
  expect(home.results.map((file) => file.path)).toEqual(["results/a"]);
  expect(home.doubts).toEqual([expect.stringContaining("is not compared")]);
  expect(readFileSync(join(folder(), "results", "results/a"), "utf8")).toBe("half");
  expect(readFileSync(join(folder(), "results", "log"), "utf8")).toBe("what was followed\n");
});
