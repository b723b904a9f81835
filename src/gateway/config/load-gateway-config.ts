import { readFileSync, type Stats, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { gatewayTimers } from "../gateway-flags.ts";
import { checkTogether } from "./check-together.ts";
import { type ConfigFault, openBelow, openSection, readKey, type Section } from "./config-section.ts";
import type { GatewayConfig } from "./gateway-config.ts";
import { readBoards } from "./read-boards.ts";
import { readFlags } from "./read-flags.ts";
import {
  limitRanges,
  readCount,
  readFlag,
  readPath,
  readPlace,
  readPlaceOrOff,
  readPublicUrl,
  readSize,
  readTime,
  readTimeZone,
} from "./value-readers.ts";
import { parseYamlTree } from "./yaml-tree.ts";

const BIGGEST_BYTES = 1_000_000;
const KEYS = [
  ...[
    "data_folder",
    "listen",
    "public_url",
    "trust_proxy",
    "policy",
    "quota",
    "parallelism",
    "case_attempts",
  ],
  ...["boards", "simulators", "timers", "behaviour", "flags", "recordings", "logins_per_minute"],
];

/**
 * Reads `gateway.yaml`. Paths in it count from its own folder. All that is wrong is told at once, each with file and line.
 * @throws gateway_config_missing, gateway_config_bad, file_unreadable
 */
export function loadGatewayConfig(file: string): GatewayConfig {
  const { tree, problems } = parseYamlTree(readText(file));
  const faults: ConfigFault[] = problems.map(({ line, problem, advice }) => ({
    ...{ line, key: "", problem: `is no YAML: ${problem}`, advice },
  }));
  refuse(file, faults); // what could be read of it would be told as missing
  const root = openSection(tree, "", KEYS, faults);
  const config = readConfig(root, resolve(file));
  checkTogether(root, config);
  refuse(file, faults);
  return config;
}

function readText(file: string): string {
  const advice = "Name another with --config.";
  try {
    const reason = findFileFault(statSync(file));
    if (reason !== undefined) throw new SortieError("file_unreadable", { path: file, reason, advice });
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (fault) {
    if (fault instanceof SortieError) throw fault;
    const { code } = fault as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new SortieError("gateway_config_missing", { file }, fault);
    const reason =
      code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is no UTF-8 text" : describeFault(fault);
    throw new SortieError("file_unreadable", { path: file, reason, advice }, fault);
  }
}

function findFileFault(stats: Stats): string | undefined {
  if (stats.isDirectory()) return "it is a folder";
  if (!stats.isFile()) return "it is no regular file";
  return stats.size > BIGGEST_BYTES ? "it is larger than 1 MB" : undefined;
}

function refuse(file: string, faults: readonly ConfigFault[]): void {
  if (faults.length === 0) return;
  const sorted = [...faults].sort((a, b) => a.line - b.line);
  const problems = sorted.map((fault) => ({ file, ...fault }));
  const lines = problems.map(formatFault).join("\n");
  throw new SortieError("gateway_config_bad", { file, lines, problems });
}

function formatFault({ file, line, key, problem, advice }: ConfigFault & { file: string }): string {
  return `${file}:${line}: ${key === "" ? "the file" : `${key}:`} ${problem}; ${advice}`;
}

function readConfig(root: Section, file: string): GatewayConfig {
  const folder = dirname(file);
  const dataFolder = readKey(root, "data_folder", readPath(folder), join(folder, "data"));
  return {
    file,
    dataFolder,
    listen: readKey(root, "listen", readPlace, { host: "127.0.0.1", port: 8700 }),
    publicUrl: readKey(root, "public_url", readPublicUrl, undefined),
    trustProxy: readKey(root, "trust_proxy", readFlag, false),
    policy: readPolicy(root),
    quota: readQuota(root),
    parallelism: readKey(root, "parallelism", readCount(...limitRanges.parallelism), 4),
    caseAttempts: readKey(root, "case_attempts", readCount(1, 100), 3),
    boards: readBoards(root),
    simulators: readSimulators(root),
    timers: readTimers(root),
    flags: readFlags(root),
    recordings: readRecordings(root, folder, dataFolder),
    loginsPerMinute: readKey(root, "logins_per_minute", readCount(1, 100_000), 10),
  };
}

function readPolicy(root: Section): GatewayConfig["policy"] {
  const policy = openBelow(root, "policy", ["openpi", "corobot"]);
  return {
    openpi: readKey(policy, "openpi", readPlaceOrOff, undefined),
    corobot: readKey(policy, "corobot", readPlaceOrOff, undefined),
  };
}

function readQuota(root: Section): GatewayConfig["quota"] {
  const quota = openBelow(root, "quota", ["jobs_per_day", "time_zone"]);
  return {
    limit: readKey(quota, "jobs_per_day", readCount(...limitRanges.quota), 99),
    timeZone: readKey(quota, "time_zone", readTimeZone, "+08:00"),
  };
}

function readSimulators(root: Section): GatewayConfig["simulators"] {
  const simulators = openBelow(root, "simulators", [
    "workers",
    "case_timeout",
    "reply_timeout",
    "score_wait",
  ]);
  return {
    workers: readKey(simulators, "workers", readCount(1, 256), Math.max(1, availableParallelism() - 1)),
    caseTimeoutMs: readKey(simulators, "case_timeout", readTime, 30 * 60_000),
    replyTimeoutMs: readKey(simulators, "reply_timeout", readTime, 5 * 60_000),
    scoreWaitMs: readKey(simulators, "score_wait", readTime, 60_000),
  };
}

function readTimers(root: Section): GatewayConfig["timers"] {
  const timers = openBelow(root, "timers", ["ping", "read_deadline", "window", "drain"]);
  return {
    pingMs: readKey(timers, "ping", readTime, gatewayTimers.pingMs),
    readDeadlineMs: readKey(timers, "read_deadline", readTime, gatewayTimers.readDeadlineMs),
    windowMs: readKey(timers, "window", readTime, gatewayTimers.windowMs),
    drainMs: readKey(timers, "drain", readTime, gatewayTimers.drainMs),
  };
}

/** Without the key, or with `off`, nothing is recorded. */
function readRecordings(root: Section, folder: string, dataFolder: string): GatewayConfig["recordings"] {
  const tree = root.values.get("recordings");
  if (tree === undefined || (tree.kind === "text" && /^(off|false|none)$/i.test(tree.text))) return undefined;
  const recordings = openBelow(root, "recordings", ["folder", "max_size"]);
  return {
    folder: readKey(recordings, "folder", readPath(folder), join(dataFolder, "recordings")),
    maxBytes: readKey(recordings, "max_size", readSize, 10e9),
  };
}
