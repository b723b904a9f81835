import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Tests run the built command: it is built anew before the first of them. */
export default function setup() {
  execFileSync(process.execPath, [fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url))]);
}
