// `npm test`: installs what tests need, builds, then runs every check and test where no network is.
// SORTIE_TEST_INSTALL=0 forbids installing. The last line is `N passed, N failed`.
import { installDebianPackages, isDebianRoot } from "./steps/debian-packages.mjs";
import { buildWhenOlder } from "./steps/fresh-build.mjs";
import { enterWithoutNetwork, proveNoNetwork } from "./steps/no-network.mjs";
import { installNodeModules } from "./steps/node-modules.mjs";
import { installPythonPackages } from "./steps/python-packages.mjs";
import { runStaticChecks } from "./steps/static-checks.mjs";
import { makeTally } from "./steps/tally.mjs";
import { runTests } from "./steps/vitest-run.mjs";

const tally = makeTally();

if (process.argv.includes("--without-network")) {
  tally.count("no network: an outside dial fails at once", await proveNoNetwork());
} else {
  const allowed = process.env.SORTIE_TEST_INSTALL !== "0";
  await installDebianPackages({ allowed });
  await installNodeModules({ allowed });
  await installPythonPackages({ allowed });
  await buildWhenOlder();
  const refusal = await enterWithoutNetwork("scripts/test.mjs");
  console.log(
    `network: this system refuses a namespace without one (${refusal}); tests still refuse to dial outside`,
  );
}
runStaticChecks(tally);
tally.add(await runTests());
process.exitCode = tally.finish({ maySkip: !isDebianRoot });
