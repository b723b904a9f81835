import { InvalidArgumentError } from "commander";
import { SortieError } from "../../base/error.ts";
import { makeRunShell, makeTargetShell, runInTerminal, type ShellCall } from "../../supervise/open-shell.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";
import { withDesk } from "../with-desk.ts";

interface Options {
  target?: string;
  forward?: number[];
}

/** `--json` prints the command line and starts nothing. */
export const command = defineCommand<Options>({
  describe: (c) =>
    c
      .argument("[run]", "id, name, or the unique start of either: a shell in its folder")
      .option("--target <name>", "a shell in this target's code folder: a section's name or an SSH alias")
      .option(
        "--forward <port>",
        "let this port of the host be that of this machine, too, as for TensorBoard or Jupyter; may be repeated",
        appendPort,
      )
      .option("--json", "print the command that would be run, and run nothing"),
  run: async ({ io, options, args }) => {
    const { forward = [] } = options;
    const call = await makeCall(io, options, args[0]);
    const { argv, env, host, folder, jobFolder } = call;
    if (io.json) {
      io.printDocument({ host, folder, jobFolder, command: argv });
      return 0;
    }
    if (io.isTerminal) for (const line of describeCall(call, forward)) io.warn(line);
    return runInTerminal(argv, { env });
  },
});

/** The database is closed again before a person works in the shell for hours. */
async function makeCall(
  io: Io,
  { target, forward = [] }: Options,
  run: string | undefined,
): Promise<ShellCall> {
  if ((run === undefined) === (target === undefined)) {
    const problem = "Name a run, or a target with --target.";
    throw new SortieError("usage", { problem, command: "sortie ssh" });
  }
  const wish = { isTerminal: io.isTerminal, forward };
  let call: ShellCall | undefined;
  await withDesk(io, async (desk) => {
    call =
      run === undefined
        ? await makeTargetShell(desk, { cwd: io.cwd, wanted: target ?? null }, wish)
        : makeRunShell(desk, run, wish);
    return 0;
  });
  return call as ShellCall;
}

function describeCall({ host, folder, jobFolder }: ShellCall, forward: readonly number[]): string[] {
  return [
    `${host}, ${folder}; \`exit\` leads back.`,
    ...(jobFolder === null ? [] : [`SORTIE_RUN_DIR is the job folder: ${jobFolder}`]),
    ...forward.map((port) => `http://127.0.0.1:${port} reaches port ${port} of ${host}.`),
  ];
}

function appendPort(text: string, earlier: number[] = []): number[] {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new InvalidArgumentError("It is not a number of a port, 1 to 65535.");
  return [...earlier, port];
}
