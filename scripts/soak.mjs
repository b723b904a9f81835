// `npm run soak -- [--rounds N] [vitest arguments]`: runs the tests again and again, in another order each time, with the
// slow ones (`*.soak.test.ts`) that `npm test` leaves out, to find those that fail now and then. A round's seed is printed,
// so that its order can be had again. Tests that damage frames at random damage a million of them.
import { parseArgs } from "node:util";
import { buildWhenOlder } from "./steps/fresh-build.mjs";
import { runTests } from "./steps/vitest-run.mjs";

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "10" } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
process.env.SORTIE_DAMAGED_FRAMES ??= "1000000";
process.env.SORTIE_SOAK = "yes";
let failedRounds = 0;

await buildWhenOlder();
for (let round = 1; round <= rounds; round += 1) {
  const seed = String(Date.now() % 1_000_000);
  const { passed, failed } = await runTests([
    "--sequence.shuffle",
    `--sequence.seed=${seed}`,
    ...positionals,
  ]);
  if (failed > 0) failedRounds += 1;
  console.log(`round ${round} of ${rounds}, seed ${seed}: ${passed} passed, ${failed} failed`);
}
console.log(`${rounds - failedRounds} of ${rounds} rounds without a failure`);
process.exitCode = failedRounds === 0 ? 0 : 1;
