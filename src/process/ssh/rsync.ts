import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { quoteCommand, quotePath } from "../../base/quote.ts";
import { makeSettings } from "../../base/script.ts";
import type { Outcome, Runner } from "../runner.ts";
import { encodeScript } from "./encode-command.ts";
import { explainRsync, NO_FOLDER_CODE } from "./explain-rsync.ts";
import rshText from "./rsh.sh";

/** Where what has come of a file waits for the rest, in the file's own folder. */
const PARTIAL_FOLDER = ".sortie-partial";

export interface RsyncProgress {
  readonly bytes: number;
  /** Of all bytes, 0 to 100, as far as rsync knows. */
  readonly percent: number;
}

export interface RsyncRequest {
  readonly direction: "send" | "fetch";
  /** The folder on this machine, made when fetching. */
  readonly folder: string;
  /** The folder on the host, made when sending: absolute, or beginning with `~/`. */
  readonly remoteFolder: string;
  /** Paths below the folder, as bytes or text; nothing else is looked at. A folder among them is made, without what is in it. */
  readonly filesFrom: readonly (string | Uint8Array)[];
  /** More flags of rsync, of those that 2.6.9 knows: `--checksum`, `--compress`. */
  readonly args?: readonly string[];
  /** Told only where the local rsync can count all of it: from 3.1 on. */
  readonly onProgress?: (progress: RsyncProgress) => void;
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
}

/** What a transfer needs of the runner that it goes by. */
export interface RsyncWay {
  /** For people. */
  readonly host: string;
  readonly local: Runner;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly socketFolder: string;
  /** The command line of ssh for a command of the host. */
  ssh(command: string): readonly string[];
  explain(outcome: Outcome): SortieError;
}

/**
 * Copies files as they are: times, modes and links too. A file that has come in part is kept aside and gone on with by
 * the next call, and nothing is ever deleted on either side. rsync quotes no path for us: it is started in the right
 * folder on the host, and the place is always `.` there.
 * @throws sync_failed, and what a connection can fail with
 */
export async function runRsync(way: RsyncWay, request: RsyncRequest): Promise<void> {
  if (request.direction === "fetch") mkdirSync(request.folder, { recursive: true });
  const folder = join(way.socketFolder, `rsync-${process.pid}-${randomUUID()}`);
  try {
    removeLeftovers(way.socketFolder);
    writeOrders(folder, way, request);
    const outcome = await way.local.run(await makeArgv(way, request, folder), {
      ...{ env: way.env, cwd: request.folder, timeoutMs: request.timeoutMs, maxBytes: 64 * 1024 },
      endsWithUs: true,
      ...(request.signal ? { signal: request.signal } : {}),
      ...(request.onProgress ? { onStdout: makeProgressReader(request.onProgress) } : {}),
    });
    if (outcome.exitCode !== 0) throw explainRsync(outcome, { ...way, ...request });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Orders of processes that were killed. */
function removeLeftovers(socketFolder: string): void {
  for (const name of readdirSync(socketFolder)) {
    const pid = /^rsync-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isThere(Number(pid)))
      rmSync(join(socketFolder, name), { recursive: true, force: true });
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === "EPERM";
  }
}

function writeOrders(folder: string, way: RsyncWay, request: RsyncRequest): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, "files"), makeList(request.filesFrom), { mode: 0o600 });
    writeFileSync(join(folder, "rsh"), makeRsh(way, request, randomUUID()), { mode: 0o600 });
  } catch (fault) {
    const reason = `their list could not be written (${describeFault(fault)})`;
    const advice = `Free space in ${way.socketFolder} on this machine, then give the same command again.`;
    throw new SortieError("sync_failed", { host: way.host, reason, advice }, fault);
  }
}

/** Each path ends with a NUL: a name may hold a newline. */
function makeList(paths: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(paths.flatMap((path) => [Buffer.from(path as string), Buffer.from([0])]));
}

function makeRsh(way: RsyncWay, { direction, remoteFolder }: RsyncRequest, token: string): string {
  const place = quotePath(remoteFolder);
  const make = direction === "send" ? `mkdir -p -- ${place} && ` : "";
  const script = `{ ${make}cd -- ${place}; } || exit ${NO_FOLDER_CODE}; printf '\\n%s\\n' ${token}; exec "$@"`;
  const argv = way.ssh("");
  return [
    makeSettings({ sortie_command: encodeScript(script), sortie_token: token }),
    `sortie_ssh() { ${quoteCommand(argv.slice(0, -1))} "$1"; }\n`,
    rshText,
  ].join("");
}

async function makeArgv(way: RsyncWay, request: RsyncRequest, folder: string): Promise<string[]> {
  const places = request.direction === "send" ? [".", "host:."] : ["host:.", "."];
  const progress =
    request.onProgress && (await canCount(way)) ? ["--info=progress2", "--no-inc-recursive"] : [];
  return [
    ...["rsync", "--links", "--times", "--perms", "--no-implied-dirs", `--partial-dir=${PARTIAL_FOLDER}`],
    ...["--from0", `--files-from=${join(folder, "files")}`, "-e", `sh ${join(folder, "rsh")}`],
    "--blocking-io", // ssh could do without; the programs of our wrapper fail where a pipe is full
    ...progress,
    ...(request.args ?? []),
    ...places,
  ];
}

async function canCount({ local, env }: RsyncWay): Promise<boolean> {
  const { stdout } = await local.run(["rsync", "--version"], { env, timeoutMs: 10_000 });
  const version = /^rsync +version v?(\d+)\.(\d+)/.exec(stdout);
  return version !== null && Number(version[1]) * 100 + Number(version[2]) >= 301;
}

/** Reads `  1,234,567  56%  1.23MB/s …`, which rsync writes over itself by carriage returns. */
function makeProgressReader(tell: (progress: RsyncProgress) => void): (chunk: Buffer) => void {
  let rest = "";
  return (chunk) => {
    const lines = `${rest}${chunk.toString("latin1")}`.split(/[\r\n]/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, bytes, percent] = /^\s*([\d,.]+)\s+(\d+)%/.exec(line) ?? [];
      if (bytes && percent) tell({ bytes: Number(bytes.replaceAll(/\D/g, "")), percent: Number(percent) });
    }
  };
}
