import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkout, giveUp, listFiles, runShown } from "./checkout.mjs";

const built = ["dist/commands/help.cjs", "dist/index.js", "dist/agent.js", "dist/gateway.js"];

/** Builds dist/, unless everything that it is made of is older. */
export async function buildWhenOlder() {
  if (isBuildCurrent()) return console.log("build: dist/ is newer than its sources");
  console.log("build: dist/");
  const done = await runShown([process.execPath, "scripts/build.mjs"]);
  if (!done) giveUp("the build failed: see the message above.", "Run again: npm run build", 5);
}

function isBuildCurrent() {
  if (!built.every((file) => existsSync(join(checkout, file)))) return false;
  const sources = [
    ...listFiles("src"),
    ...listFiles("scripts/bundle"),
    "scripts/build.mjs",
    "package-lock.json",
  ];
  return Math.max(...sources.map(readTime)) < Math.min(...built.map(readTime));
}

function readTime(file) {
  return statSync(join(checkout, file)).mtimeMs;
}
