import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runShown } from "./checkout.mjs";

/** Runs the tests, shown as they come. Gives `{passed, failed, skipped: names}`. */
export async function runTests(extraArguments = []) {
  const folder = mkdtempSync(join(tmpdir(), "sortie-tests-"));
  const report = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const ok = await runShown(["node_modules/.bin/vitest", "run", ...reporters, ...extraArguments]);
    return readCounts(report, ok);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readCounts(report, ok) {
  const files = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).testResults : [];
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failed = tests.filter(({ status }) => status === "failed").length + files.filter(isBroken).length;
  const skipped = tests
    .filter(({ status }) => !["passed", "failed"].includes(status))
    .map(({ fullName }) => fullName);
  // The runner itself may fail where no test did: an error outside of tests, no tests at all, a crash.
  return { passed, failed: failed === 0 && !ok ? 1 : failed, skipped };
}

/** A file may fail outside of its tests: it does not load, or it leaves something behind. */
function isBroken({ status, assertionResults }) {
  return status === "failed" && !assertionResults.some((test) => test.status === "failed");
}
