import { toSortieError } from "../base/error.ts";
import { VERSION } from "../base/version.ts";
import { wrapText } from "../base/wrap.ts";
import { COMMANDS } from "./command-table.ts";
import { findCommand } from "./find-command.ts";
import { type Io, makeIo } from "./io.ts";
import { reportFault } from "./report-fault.ts";

/** The command `sortie`: finds the command, loads it, calls it; decides the exit code in one place. */
export async function main(argv: readonly string[]): Promise<number> {
  const [name] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") return printHelp();
  if (name === "--version" || name === "-V") return print(`sortie ${VERSION}\n`);
  if (name === "complete") return printCandidates(argv.slice(1));
  const face: Face = { json: hasJsonFlag(argv) };
  try {
    return await callCommand(argv, face);
  } catch (thrown) {
    const exitCode = reportFault(toSortieError(thrown), thrown, face);
    return face.faultExit ?? exitCode;
  }
}

/**
 * How a fault is told. `json` is a guess until the arguments are read: the word may belong to the command that is to be
 * run.
 */
interface Face {
  json: boolean;
  faultExit?: number;
  isStream?: boolean;
}

async function callCommand(argv: readonly string[], face: Face): Promise<number> {
  const found = await findCommand(COMMANDS, argv);
  const { parseCall } = await import("./parse-call.ts");
  const { command } = found;
  face.faultExit = command.faultExit;
  face.isStream = command.isStream;
  const parsed = parseCall(found.name, found.summary, command, found.argv);
  if (parsed.kind === "help") return print(parsed.text);
  face.json = parsed.options["json"] === true;
  return command.run({ io: makeOwnIo(face.json), options: parsed.options as never, args: parsed.args });
}

function hasJsonFlag(argv: readonly string[]): boolean {
  return argv.slice(0, argv.includes("--") ? argv.indexOf("--") : undefined).includes("--json");
}

/** For the completion scripts of the shells: a candidate a line. */
async function printCandidates(argv: readonly string[]): Promise<number> {
  const { complete } = await import("./complete.ts");
  const shown = Object.fromEntries(Object.entries(COMMANDS).filter(([, entry]) => !entry.hidden));
  const candidates = await complete(makeOwnIo(false), shown, argv.slice(argv[0] === "--" ? 1 : 0));
  return print(candidates.map((candidate) => `${candidate}\n`).join(""));
}

function makeOwnIo(json: boolean): Io {
  return makeIo({ json, self: [process.execPath, process.argv[1] as string] });
}

function printHelp(): number {
  const lines = Object.entries(COMMANDS)
    .filter(([, entry]) => !entry.hidden)
    .map(([name, entry]) => `  ${name.padEnd(11)}${entry.summary}`);
  const wrap = (text: string) => wrapText(text, process.stdout.columns || 80).join("\n");
  return print(`${wrap("Sortie launches GPU work wherever the GPUs are: planned, confirmed, watched, brought home.")}

Usage: sortie COMMAND [options]

${lines.join("\n")}

${wrap("`sortie COMMAND --help` shows what a command takes; --json makes it print one JSON document.")}
`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
