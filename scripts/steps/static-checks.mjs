import { hasProgram, listFiles, runQuiet } from "./checkout.mjs";

const bin = "node_modules/.bin";

/** Everything that is checked without running the product: name, command, and the program it needs from the system. */
function listChecks() {
  const shell = ["src", "scripts"].flatMap(listFiles).filter((file) => file.endsWith(".sh"));
  const places = ["examples", "scripts", "python", "contestant_sdk"];
  const python = places.flatMap(listFiles).filter((file) => file.endsWith(".py"));
  const compile =
    "import sys; [compile(open(name, encoding='utf-8').read(), name, 'exec') for name in sys.argv[1:]]";
  return [
    { name: "types", argv: [`${bin}/tsc`, "--noEmit"] },
    {
      name: "declarations of the doors",
      argv: [`${bin}/tsc`, "-p", "tsconfig.build.json", "--outDir", "node_modules/.cache/types"],
    },
    { name: "lint and format", argv: [`${bin}/biome`, "check", "."] },
    {
      name: "arrows between rooms",
      argv: [`${bin}/depcruise`, "src", "--config", ".dependency-cruiser.cjs"],
    },
    { name: "nothing unused", argv: [`${bin}/knip`, "--no-progress"] },
    { name: "shell scripts", argv: ["shellcheck", "-s", "sh", ...shell], needs: "shellcheck" },
    { name: "shell of the CI", argv: ["shellcheck", ".ci/run"], needs: "shellcheck" },
    { name: "Python compiles", argv: ["python3", "-c", compile, ...python], needs: "python3" },
  ];
}

/** Runs them one after another, each with a line; what a failed one said is shown. */
export function runStaticChecks(tally) {
  for (const { name, argv, needs } of listChecks()) {
    const started = performance.now();
    if (needs && !hasProgram(needs)) tally.skip(`${name} (no ${needs})`);
    else tally.count(name, runQuiet(argv), performance.now() - started);
  }
}
