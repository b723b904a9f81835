import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BUILT = "SORTIE_TEST_BUILT";

/** Tests run the built command: it is built anew before the first of them, once for all projects of a run. */
export default function setup() {
  if (process.env[BUILT] === String(process.pid)) return;
  execFileSync(process.execPath, [fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url))]);
  process.env[BUILT] = String(process.pid);
}
