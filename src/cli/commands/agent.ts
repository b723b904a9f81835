import { Option } from "commander";
import { parseDuration } from "../../base/duration.ts";
import { makeErrorDocument, SortieError, toSortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { type AgentWish, type ServedEnd, serveAgent } from "../../supervise/agent/serve-agent.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";
import { listenForEnd } from "../listen-for-end.ts";
import { makeQuietWriter } from "../quiet-writer.ts";

type AgentOptions = Omit<AgentWish, "handler" | "drainTimeoutMs" | "loadTimeoutMs"> & {
  readonly handler?: string;
  readonly drainTimeout?: string;
  readonly loadTimeout?: string;
};

interface Ending extends Pick<ServedEnd, "outcome"> {
  readonly error?: SortieError | null;
  readonly report: ServedEnd["report"] | null;
}

const FLUSH_MS = 500;
const FORCE_MS = 100;

export const command = defineCommand<AgentOptions>({
  faultExit: 1,
  describe: (c) =>
    c
      .option("--job-uuid <uuid>", "the job to serve")
      .option(
        "--gateway-url <url>",
        "its TUNNEL_ENDPOINT (default: SIMUBOTIX_GATEWAY_URL, the state file's, the fixed one)",
      )
      .option(
        "--handler <spec>",
        "[DIR/]MODULE:FUNCTION or FILE.py:FUNCTION, FILE.js[:EXPORT] (default: SORTIE_HANDLER)",
      )
      .option("--gpu <gpu>", "index or UUID of a GPU of this machine, or cpu (default: one that is free)")
      .option(
        "--python <program>",
        "the interpreter (default: of $VIRTUAL_ENV, $CONDA_PREFIX, the local section, python3)",
      )
      .option(
        "--access-token <token>",
        "others can read it in `ps`: better JOB_TOKEN or CHALLENGE_TOKEN in the environment",
      )
      .option("--agent-id <id>", "default: SORTIE_AGENT_ID, else a new UUID; never the same for two agents")
      .addOption(
        new Option("--payload <kind>", "what frames hold (default: what the first one does)").choices([
          "g2",
          "openpi",
          "opaque",
        ]),
      )
      .option("--no-validate", "let every reply pass unchecked")
      .addOption(
        new Option("--on-fault <how>", "tell a handler's fault as an error, or close the session").choices([
          "error",
          "close",
        ]),
      )
      .addOption(
        new Option("--on-stall <how>", "when nothing comes any more after a resume").choices([
          "wait",
          "fresh-id",
        ]),
      )
      .option("--load-timeout <duration>", "how long the handler may take to load (default 30m)")
      .option("--drain-timeout <duration>", "how long what is in flight may take at the end (default 60s)")
      .option(
        "--proxy <url>",
        "env, or the address of an HTTP proxy (default: none, whatever the environment says)",
      )
      .option(
        "--events <file>",
        "append a JSON line for each event (default: agent.jsonl of the run it is in)",
      )
      .option("--strict-frames", "close the link over a malformed frame instead of dropping the frame")
      .option("--json", "print a JSON line for each event, and one at the end, whatever the end is"),
  run: async ({ io, options }) => {
    const wish = readWish(options, io);
    const ending = listenForEnd(io);
    const log = makeQuietWriter(2);
    const output = io.json ? makeQuietWriter(1, (lines) => formatDocument({ type: "gap", lines })) : null;
    try {
      const end = await serveAgent(wish, {
        env: io.env,
        cwd: io.cwd,
        interrupted: ending.signal,
        onEvent: (event) => output?.write(formatDocument(event)),
        onLog: ({ text }) => log.write(formatLine(text)),
      });
      const exitCode = chooseExitCode(end, ending.exitCode());
      output?.writeLast(formatDocument(makeEndDocument(end, exitCode)));
      return exitCode;
    } catch (fault) {
      const interrupted = ending.exitCode();
      const error = interrupted === null ? toSortieError(fault) : null;
      if (output === null && error !== null) throw fault;
      // A stream of lines ends with a line, whatever the end is.
      const exitCode = interrupted ?? 1;
      const outcome = error === null ? "stopped" : "failed";
      output?.writeLast(formatDocument(makeEndDocument({ outcome, error, report: null }, exitCode)));
      if (error !== null) log.writeLast(formatFault(error));
      return exitCode;
    } finally {
      await Promise.all([log.flush(FLUSH_MS), output?.flush(FLUSH_MS)]);
      // All is said: what might still keep the process alive, as a write to a disk that hangs, is not waited for.
      setTimeout(() => process.exit(), FORCE_MS).unref();
    }
  },
});

/** A token among the arguments is taken away from `ps` as far as that goes. */
function readWish(
  { drainTimeout, loadTimeout, accessToken, handler, ...rest }: AgentOptions,
  io: Io,
): AgentWish {
  if (accessToken) {
    process.title = "sortie-agent";
    io.warn("warning: others on this machine can read --access-token in `ps`; set CHALLENGE_TOKEN instead");
  }
  const readMs = (text: string | undefined, what: string) =>
    text === undefined ? undefined : parseDuration(text, what) * 1000;
  return {
    ...rest,
    // An empty one is a variable that was not set: another handler in its place would be a surprise.
    handler: (handler ?? io.env["SORTIE_HANDLER"]) || refuseNoHandler(),
    accessToken,
    drainTimeoutMs: readMs(drainTimeout, "--drain-timeout"),
    loadTimeoutMs: readMs(loadTimeout, "--load-timeout"),
  };
}

function refuseNoHandler(): never {
  const problem = "No handler is named: --handler says what answers the observations.";
  throw new SortieError("usage", { problem, command: "sortie agent" });
}

function formatLine(text: string): string {
  return `${new Date().toISOString().replace(/\.\d+/, "")} ${makePrintable(text)}\n`;
}

function chooseExitCode({ outcome }: ServedEnd, interrupted: number | null): number {
  if (outcome === "drained") return 0;
  return interrupted ?? 1;
}

/** `report` is null where the agent never came to its tunnel. */
function makeEndDocument({ outcome, error, report }: Ending, exitCode: number): object {
  return { type: "end", outcome, exitCode, error: error ? makeErrorDocument(error) : null, report };
}

function formatDocument(document: object): string {
  return `${JSON.stringify({ schema: 1, ...document })}\n`;
}

/** As every command tells its faults. */
function formatFault({ message, hint }: SortieError): string {
  return [`error: ${message}`, hint]
    .filter(Boolean)
    .map((line) => `${makePrintable(line)}\n`)
    .join("");
}
