import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const checkout = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const ADVICE = "python3 -m venv .venv && .venv/bin/python -m pip install --upgrade websockets";

/** The Python of the checkout's .venv, with its version of `websockets`; a fault in words where that is not there. */
export function findPython() {
  const program = join(checkout, ".venv", "bin", "python");
  if (!existsSync(program)) return { fault: `There is no .venv in the checkout. Make it: ${ADVICE}` };
  const ask = ["-c", "import websockets.asyncio.client; print(websockets.__version__)"];
  const { status, stdout } = spawnSync(program, ask, { encoding: "utf8" });
  if (status !== 0) return { fault: `.venv has no new \`websockets\`. Install it: ${ADVICE}` };
  return { program, version: stdout.trim() };
}
