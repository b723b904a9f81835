import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CHECKOUT } from "./contestant.ts";
import { useSortie } from "./sortie.ts";
import { writeWheel } from "./wheel.ts";

/** Has numpy and pip; it is what `npm test` prepares. */
export const PYTHON_WITH_NUMPY = join(CHECKOUT, ".venv", "bin", "python");
const NO_GPU = ["--gpus", "none"];
/** As one of `run_commands`: leaves a line that `countBuilds` counts. */
export const COUNT = "echo built >>builds";

type Options = Parameters<ReturnType<typeof useSortie>["ask"]>[1];

export interface TriedTier {
  readonly tier: number;
  readonly passed: boolean;
  readonly message: string;
  readonly at: string;
  readonly card: { readonly uuid: string; readonly driver: string } | null;
}

/**
 * `const project = useContractProject()` beside the tests: a project called `my project` on this machine, through the
 * built command. Its environment is called `my-project` unless its file says otherwise, and all lies in the test's folder.
 */
export function useContractProject() {
  const sortie = useSortie();
  const { temp } = sortie;
  const inProject = (...parts: string[]) => join(sortie.project(), ...parts);
  const envs = (...parts: string[]) => join(sortie.home(), "envs", ...parts);
  const wheels = () => join(temp(), "wheel folder");

  const write = (path: string, text: string) => {
    mkdirSync(dirname(inProject(path)), { recursive: true });
    writeFileSync(inProject(path), text);
  };
  /** Writes the specification; what is no text is written as JSON, which is YAML as well. */
  const writeSpec = (spec: object | string, file = "env-spec.yaml") =>
    write(file, typeof spec === "string" ? spec : `${JSON.stringify(spec, null, 2)}\n`);
  /** `base` of a specification: an environment in a tenth of the time, with the numpy and the pip of `.venv`. */
  const makeQuickBase = () => `venv:${writeQuickPython(temp())}`;

  /** A package of one module, which `pip` below installs. */
  const addWheel = (name: string, version: string, code?: string) => {
    mkdirSync(wheels(), { recursive: true });
    return writeWheel(wheels(), { name, version, ...(code !== undefined && { code }) });
  };
  /** A phase that takes all from the folder of wheels. */
  const pip = (...wanted: string[]) => ["--no-index", "--find-links", wheels(), ...wanted];

  /** What a plan does with its environment; the plan stays, to be confirmed. */
  const plan = async (flags: readonly string[] = NO_GPU, options: Options = {}) => {
    const answer = await sortie.ask(["run", "--target", "local", ...flags, "--", "true"], options);
    if (!answer.plan) throw new Error(`nothing was planned: ${JSON.stringify(answer)}`);
    const { contract } = answer.plan.terms.environment;
    const due = (contract?.due ?? []).map(({ tier }: { tier: number }) => tier);
    return { ...answer.plan, contract, action: contract?.action, why: contract?.why, due };
  };
  /** Runs a command to its end: its document, and what it has printed. */
  const run = async (
    command: readonly string[],
    flags: readonly string[] = NO_GPU,
    options: Options = {},
  ) => {
    const call = ["run", "--target", "local", "--yes", ...flags, "--", ...command];
    const answer = await sortie.ask(call, options);
    const log = answer.run?.log;
    return { ...answer, printed: log && existsSync(log) ? readFileSync(log, "utf8").trimEnd() : "" };
  };

  /** Folders of environments, whole or not, without the names that point to them. */
  const listBuilds = () =>
    listFolder(envs()).filter((name) => /-[0-9a-f]{8}-\d+$/.test(name) && !isLink(envs(name)));
  const readPointer = (name = "my-project") => readlinkSync(envs(name));
  const countBuilds = () => readLines(inProject("builds")).length;

  /** All tries of tiers, the oldest first. */
  const readRecords = (): TriedTier[] =>
    listFolder(envs("records"))
      .flatMap((name) => readLines(envs("records", name)))
      .map((line): TriedTier => JSON.parse(line))
      .sort((one, other) => (one.at < other.at ? -1 : 1));
  /** The same in words: `1 passed`, `2 failed`. */
  const readTries = () => readRecords().map(({ tier, passed }) => `${tier} ${passed ? "passed" : "failed"}`);
  const ledger = () => inProject(".aris", "compute", "local.md");
  const readLedger = () => readFileSync(ledger(), "utf8");

  return {
    ...{ sortie, temp, inProject, envs, wheels, write, writeSpec, makeQuickBase, addWheel, pip, plan, run },
    ...{ listBuilds, readPointer, countBuilds, readTries, readRecords, ledger, readLedger },
  };
}

function isLink(path: string): boolean {
  try {
    readlinkSync(path);
    return true;
  } catch {
    return false; // a folder
  }
}

function listFolder(path: string): string[] {
  return existsSync(path) ? readdirSync(path).sort() : [];
}

function readLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}

/** A Python whose environments have no pip of their own, and see the packages of `.venv` after theirs. */
export function writeQuickPython(folder: string): string {
  const path = join(folder, "quick python");
  writeFileSync(path, QUICK, { mode: 0o755 });
  return path;
}

const QUICK = `#!/bin/sh
python='${PYTHON_WITH_NUMPY}'
[ "$1 $2" = "-m venv" ] || exec "$python" "$@"
shift 2
"$python" -m venv --without-pip "$@" || exit
for prefix; do :; done
for site in "$prefix"/lib/python3*/site-packages; do
  "$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$site/tests.pth" || exit
done
`;
