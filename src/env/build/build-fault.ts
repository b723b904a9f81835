import { SortieError } from "../../base/error.ts";
import type { EnvHost } from "../env-host.ts";
import type { BuildRequest } from "./build-script.ts";
import type { BuildEnd } from "./follow-build.ts";

/** Why a build has failed; `failed`: a step did, its log says why. */
export type BuildCause = "failed" | "disk_full" | "time_limit" | "killed" | "stopped";

const FULL = /no space left on device|disk quota exceeded|errno 28|enospc/i;
const FULL_KIB = 1024;
const TIME_LIMIT_EXIT = 124;

/** The error of a build that did not end well. Its details hold `cause`, `step`, `code`, `log` and `tail`, the log's last lines. */
export function explainBuildEnd(host: EnvHost, { name }: BuildRequest, end: BuildEnd): SortieError {
  const { look, tail } = end;
  if (look.state === "unable") return explainUnable(host, name, look.values);
  const cause = findCause(end);
  const step = look.values["step"] || end.step?.name || "start";
  const code = look.values["code"] || null;
  return new SortieError("environment_build_failed", {
    ...{ name, host: host.name, step, code, log: look.log, build: look.build, cause, tail },
    ...{ reason: describeCause(cause, code, tail), advice: ADVICE[cause] },
  });
}

function findCause({ look: { state, values }, tail }: BuildEnd): BuildCause {
  if (state === "killed") return "killed";
  if (values["reason"] === "stopped") return "stopped";
  const freeKib = Number(values["free_kib"] || Number.POSITIVE_INFINITY);
  if (freeKib < FULL_KIB || tail.some((line) => FULL.test(line))) return "disk_full";
  return Number(values["code"]) === TIME_LIMIT_EXIT ? "time_limit" : "failed";
}

function describeCause(cause: BuildCause, code: string | null, tail: readonly string[]): string {
  switch (cause) {
    case "disk_full":
      return "there is no room left";
    case "time_limit":
      return "it took too long, and was ended";
    case "killed":
      return "it was killed, or the host was restarted";
    case "stopped":
      return "it was called off";
    case "failed":
      return findTellingLine(tail) ?? `it ended with code ${code}`;
  }
}

/** The last line that names an error, else the last one that is not our own. */
function findTellingLine(tail: readonly string[]): string | null {
  const lines = tail.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("sortie:"));
  const telling = lines.findLast((line) => /^(error|fatal|\w*(Error|Exception))\b/i.test(line));
  return telling ?? lines.at(-1) ?? null;
}

const ADVICE: Readonly<Record<BuildCause, string>> = {
  failed: "Correct the specification, or what it needs on that host, and try again.",
  disk_full: "Free space there, or name a folder on another disk as `env_dir`, and try again.",
  time_limit: "Take out what needs so long, or build it there beforehand, and try again.",
  killed: "Try again: it is built anew. If that happens each time, the host may be short of memory.",
  stopped: "Try again: it is built anew.",
};

function explainUnable(
  host: EnvHost,
  name: string,
  { fault, detail = "" }: Readonly<Partial<Record<string, string>>>,
): SortieError {
  const [reason, advice] = describeFault(fault, detail);
  return new SortieError("environment_unbuildable", { name, host: host.name, reason, advice, fault });
}

function describeFault(fault: string | undefined, detail: string): [reason: string, advice: string] {
  switch (fault) {
    case "tool_missing":
      return [
        `${detail} is not installed there`,
        `Install ${detail} (on Debian: apt-get install util-linux).`,
      ];
    case "path_odd":
      return [`the path ${detail} holds control characters`, "Name another folder as `env_dir`."];
    case "no_locks":
      return [`its file system keeps no locks: ${detail}`, "Name a folder on another disk as `env_dir`."];
    case "folder_missing":
      return [`the project's folder ${detail} is not there`, "Bring the project there first."];
    case "unwritable":
      return FULL.test(detail)
        ? [`there is no room left: ${detail}`, ADVICE.disk_full]
        : [
            `its folder cannot be written to: ${detail}`,
            "Give yourself the right to write there, or name another folder as `env_dir`.",
          ];
    default:
      return [
        `its builder did not begin: ${detail || "nothing is known"}`,
        "Try again. If it stays so, look which process holds that lock.",
      ];
  }
}
