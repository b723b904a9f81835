import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { readAnswer } from "../../base/script.ts";
import type { EnvironmentStatus } from "../../env/build/environment-status.ts";
import { readStatus } from "../../env/build/status.ts";
import { type CheckedEnvironment, readCheckedEnvironment } from "../../env/check-environment.ts";
import { readWandbFacts } from "../../env/wandb/probe-wandb.ts";
import { type GpuReport, parseGpuReport } from "../../gpus/parse-report.ts";
import type { Preflight, PreflightRequest, ServerFacts } from "../target.ts";
import { makeCheckTerms, type PreflightTokens } from "./preflight-script.ts";

/** What is needed to read an answer beside its text. */
export interface PreflightContext {
  readonly request: PreflightRequest;
  readonly tokens: PreflightTokens;
  readonly freeMemoryMiB: number;
  /** The host's name for people. */
  readonly host: string;
  /** Our clock when the question was put and when the answer was there, in seconds since 1970. */
  readonly askedS: number;
  readonly answeredS: number;
}

type Lines = readonly (readonly [key: string, value: string])[];

/** null: the answer is not whole. @throws environment_missing, tool_missing, gpus_unasked */
export function readPreflight(stdout: string, context: PreflightContext): Preflight | null {
  const { request, tokens } = context;
  const lines = readAnswer(stdout, tokens.facts);
  if (!lines || !stdout.includes(`\ndone=${tokens.facts}`)) return null;
  const values = Object.fromEntries(lines);
  return {
    jobDir: values["job_dir"] ?? "",
    folder: values["folder"] ?? "",
    isFolderThere: values["folder_there"] === "yes",
    environment: readEnvironment(stdout, context),
    gpus: request.gpus ? readGpus(stdout, context) : null,
    contract: request.contract ? readContract(stdout, context) : null,
    wandb: request.wandb ? readWandbFacts(stdout, tokens.wandb) : null,
    missing: findAll(lines, "missing").map((place) => request.inputs[Number(place)] as string),
    server: {
      ...readServer(lines, context),
      banner: findBanner(stdout, tokens.facts),
      checkout: readAnswer(stdout, tokens.checkout) ?? [],
      nodes: findAll(readAnswer(stdout, `${tokens.facts}-nodes`) ?? [], "node").flatMap(readNode),
    },
  };
}

function readEnvironment(
  stdout: string,
  { request, tokens, host }: PreflightContext,
): CheckedEnvironment | null {
  if (request.environment === null) return null;
  const frame = Object.fromEntries(readAnswer(stdout, `${tokens.facts}-environment`) ?? []);
  return readCheckedEnvironment(request.environment, makeCheckTerms(request, tokens.environment), {
    ...{ stdout, stderr: frame["environment_words"] ?? "", host },
    // Of KILL, which its time limit sends.
    timedOut: frame["environment_code"] === "137",
    notStarted: frame["environment_shell"] === "missing",
  });
}

function readGpus(stdout: string, { tokens, freeMemoryMiB, host }: PreflightContext): GpuReport {
  const report = parseGpuReport(stdout, { token: tokens.gpus, freeMemoryMiB });
  if (report) return report;
  throw new SortieError("gpus_unasked", { host, reason: "the probe did not come to its end" });
}

function readContract(stdout: string, { tokens, host }: PreflightContext): EnvironmentStatus {
  const status = readStatus(stdout, tokens.contract);
  if (status) return status;
  throw new SortieError("environment_silent", { host, reason: "its state was not told" });
}

function readServer(
  lines: Lines,
  { askedS, answeredS }: PreflightContext,
): Omit<ServerFacts, "banner" | "checkout" | "nodes"> {
  const values = Object.fromEntries(lines);
  const tools = lines.filter(([key]) => key.startsWith("tool."));
  return {
    hostName: values["host"] ?? "",
    home: values["home"] ?? "",
    loginShell: values["shell"] ?? "",
    tools: Object.fromEntries(tools.map(([key, version]) => [key.slice("tool.".length), version])),
    disks: findAll(lines, "disk").flatMap(readDisk),
    clockSkewS: measureSkew(Number(values["now"]), askedS, answeredS),
    killsAtLogout: readKills(values["kills"]),
    unwritable: findAll(lines, "unwritable"),
    liveRuns: findAll(lines, "live_run"),
  };
}

function findAll(lines: Lines, key: string): string[] {
  return lines.filter(([other]) => other === key).map(([, value]) => value);
}

function readDisk(text: string): ServerFacts["disks"] {
  const [, kib, inodes, path] = /^(\d+) (\d+|-) (.*)$/.exec(text) ?? [];
  if (path === undefined) return [];
  return [{ path, freeKib: Number(kib), freeInodes: inodes === "-" ? null : Number(inodes) }];
}

function readNode(text: string): ServerFacts["nodes"] {
  const [, version, path] = /^(\S+) (\/.*)$/.exec(text) ?? [];
  return path === undefined ? [] : [{ path, version: version === "-" ? null : (version as string) }];
}

/** The host told its time somewhere between the question and the answer: only what lies outside of that is a difference. */
function measureSkew(hostS: number, askedS: number, answeredS: number): number {
  if (hostS < Math.floor(askedS)) return hostS - Math.floor(askedS);
  return Math.max(0, hostS - Math.ceil(answeredS));
}

function readKills(text: string | undefined): ServerFacts["killsAtLogout"] {
  return text === "scope" || text === "no_way_round" ? text : null;
}

/** What came before our own first line. */
function findBanner(stdout: string, token: string): string | null {
  const before = stdout.slice(0, stdout.indexOf(`begin=${token}\n`)).split(/\r?\n/);
  const line = before.find((text) => text.trim() !== "");
  return line === undefined ? null : makePrintable(line.trim());
}
