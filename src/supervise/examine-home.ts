import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { formatBytes } from "../base/bytes.ts";
import { describeFault } from "../base/error.ts";
import { findHome, findOthersRights, type Home } from "../disk/home.ts";
import type { Environment } from "./desk.ts";
import { type Finding, makeFinding } from "./finding.ts";

const LOW_BYTES = 1_000_000_000;
const OTHERS = {
  read: "others can look into it",
  write: "others can write to it",
};

/** The home folder as it is, or could be made: it is not made here. */
export function examineHome(env: Environment): Finding {
  const home = findHome(env);
  try {
    return existsSync(home.root) ? examineFolder(home) : examinePlace(home.root);
  } catch (fault) {
    const advice = "Make it writable, or set SORTIE_HOME.";
    return makeFinding("home folder", "bad", `${home.root}: ${describeFault(fault)}`, advice);
  }
}

function examineFolder(home: Home): Finding {
  const { root } = home;
  accessSync(root, constants.W_OK);
  const { bavail, bsize } = statfsSync(root);
  const free = formatBytes(bavail * bsize);
  if (bavail * bsize < LOW_BYTES) {
    const advice = "Free some space: logs and results lie there.";
    return makeFinding("home folder", "warning", `${root} has ${free} free`, advice);
  }
  const others = findOthersRights(home);
  if (others !== "none") {
    const advice = "Close it to them with `chmod 700`, or set SORTIE_HOME to a folder of your own.";
    return makeFinding("home folder", "warning", `${root}: ${OTHERS[others]}`, advice);
  }
  return makeFinding("home folder", "ok", `${root}, ${free} free`);
}

function examinePlace(root: string): Finding {
  let nearest = dirname(root);
  while (!existsSync(nearest)) nearest = dirname(nearest);
  accessSync(nearest, constants.W_OK);
  return makeFinding("home folder", "ok", `${root}, made at the first run`);
}
