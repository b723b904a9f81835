/** Counts what passed, failed and was skipped, and prints a line for each check. */
export function makeTally() {
  let passed = 0;
  let failed = 0;
  const skipped = [];

  return {
    count(name, { ok, output }, tookMs) {
      const took = tookMs === undefined ? "" : ` (${(tookMs / 1000).toFixed(1)} s)`;
      console.log(`${ok ? "ok  " : "FAIL"} ${name}${took}`);
      if (!ok) console.log(output.trimEnd());
      if (ok) passed += 1;
      else failed += 1;
    },

    skip(name) {
      console.log(`skip ${name}`);
      skipped.push(name);
    },

    add(counts) {
      passed += counts.passed;
      failed += counts.failed;
      skipped.push(...counts.skipped);
    },

    /** Prints the two last lines. Where nothing may be skipped, a skip is a failure. Gives the exit code. */
    finish({ maySkip }) {
      for (const name of skipped) console.log(`skipped: ${name}`);
      const failures = failed + (maySkip ? 0 : skipped.length);
      const rule = maySkip || skipped.length === 0 ? "" : ", which on Debian as root counts as failed";
      console.log(`${skipped.length} skipped${rule}`);
      console.log(`${passed} passed, ${failures} failed`);
      return failures === 0 ? 0 : 1;
    },
  };
}
