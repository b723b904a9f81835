import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEntries } from "../../../test/support/recordings.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";

const folder = useTempFolder();
const checkout = join(import.meta.dirname, "../../..");

/** Records without a pause, until it is killed. */
const WRITER = `
import { systemClock } from "./src/base/clock.ts";
import { openRecorder } from "./src/gateway/recording/recorder.ts";
const [folder, sessionId] = process.argv.slice(2);
const recorder = openRecorder({ folder, maxBytes: 1e9 }, systemClock, () => process.exit(9));
const tape = recorder.openTape({ caseId: 1, jobUuid: null, board: null, task: "pick", index: 0, seed: 0, sessionId, agentId: null });
let step = 0;
setInterval(() => {
  tape.add("observation", Buffer.alloc(100_000, step));
  tape.add("action", Buffer.alloc(100, step));
  step += 1;
}, 1);
`;

it("a writer that is killed leaves every whole entry", async () => {
  const script = join(folder(), "writer.mjs");
  const flags = [
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--loader=ts",
    "--log-level=error",
    `--outfile=${script}`,
  ];
  execFileSync(join(checkout, "node_modules", ".bin", "esbuild"), flags, { cwd: checkout, input: WRITER });
  const sessionId = randomUUID();
  const file = join(folder(), `${sessionId}.sortie-recording`);
  const writer = spawn(process.execPath, [script, folder(), sessionId], { stdio: "ignore" });
  const ended = new Promise((resolve) => writer.once("exit", (_, signal) => resolve(signal)));
  await waitFor(() => existsSync(file) && statSync(file).size > 5_000_000, { what: "5 MB of a recording" });
  writer.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  const [first, ...parts] = await readEntries(file);
  expect(first?.type).toBe("info");
  expect(parts.at(-1)?.type).toBe("torn");
  const frames = parts.slice(0, -1);
  expect(frames.length).toBeGreaterThanOrEqual(99);
  for (const [index, part] of frames.entries()) {
    const type = index % 2 === 0 ? "observation" : "action";
    const payload = Buffer.alloc(type === "action" ? 100 : 100_000, Math.floor(index / 2));
    expect([part.type, "payload" in part && payload.equals(part.payload)]).toEqual([type, true]);
  }
});
