import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, giveUp, runShown } from "./checkout.mjs";

/** Installs the packages of package-lock.json, unless node_modules holds exactly their versions already. */
export async function installNodeModules({ allowed = true } = {}) {
  if (areModulesCurrent()) return console.log("packages: node_modules is what package-lock.json asks for");
  if (!allowed)
    giveUp(
      "node_modules is not what package-lock.json asks for, and installing is forbidden.",
      "Run: npm ci",
      5,
    );
  console.log("packages: npm ci, as node_modules is not what package-lock.json asks for");
  const installed = await runShown(["npm", "ci", "--include=dev", "--no-audit", "--no-fund"]);
  if (!installed)
    giveUp("npm ci failed: see its message above.", "Check the network and npm's registry setting.", 5);
}

/** npm leaves its own list of what it installed in node_modules, written last: an install cut short has none. */
function areModulesCurrent() {
  const listed = join(checkout, "node_modules", ".package-lock.json");
  if (!existsSync(listed)) return false;
  const installed = readPackages(listed);
  return Object.entries(readPackages(join(checkout, "package-lock.json"))).every(([path, wanted]) => {
    if (path === "" || (wanted.optional && !installed[path])) return true; // the optional are for other systems
    return installed[path]?.version === wanted.version;
  });
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}
