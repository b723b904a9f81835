import { formatBytes } from "../base/bytes.ts";
import { formatDuration } from "../base/duration.ts";
import type { GpuReport } from "../gpus/gpu-report.ts";
import type { Preflight, ServerFacts } from "../targets/target.ts";
import type { ChosenTarget } from "./choose-target.ts";
import { type Finding, makeFinding } from "./finding.ts";

const LOW_KIB = 1_000_000;
const LOW_INODES = 10_000;
/** A clock that is further off makes times at home and there hard to compare. */
const SKEW_S = 60;

/** What a host's answer says of its target, a finding a subject. Pure. */
export function describeAnswer(answer: Preflight, chosen: ChosenTarget): Finding[] {
  const { name } = chosen.section;
  const { server, gpus, missing, environment } = answer;
  if (server === null) return [];
  const is = (what: string, ...rest: readonly [Finding["level"], string, string?]) =>
    makeFinding(`${name} ${what}`, ...rest);
  const python = environment?.python;
  return [
    makeFinding(name, "ok", `answers as ${server.hostName}, login shell ${server.loginShell}`),
    ...describeTools(server, chosen).map((rest) => is("tools", ...rest)),
    ...describeDisks(server).map((rest) => is("disk", ...rest)),
    ...describeHabits(server).map((rest) => is("host", ...rest)),
    ...(missing.length > 0
      ? [is("data", "bad", `not there: ${missing.join(", ")}`, "Put it there, or correct the section.")]
      : []),
    ...(environment
      ? [is("env", "ok", python ? `${python.path} ${python.version ?? ""}`.trim() : "no python")]
      : []),
    ...(gpus ? [is("GPUs", ...describeGpus(gpus))] : []),
  ];
}

type Words = readonly [level: Finding["level"], detail: string, advice?: string];

/** Each with those that do its work as well. */
const TOOLS: readonly {
  names: readonly string[];
  level: "bad" | "warning";
  why: string;
  sync?: "rsync" | "git";
}[] = [
  { names: ["rsync"], level: "bad", why: "code is sent with it", sync: "rsync" },
  { names: ["git"], level: "bad", why: "code_sync: git pulls with it", sync: "git" },
  { names: ["sha256sum", "shasum"], level: "bad", why: "what was sent is checked with it" },
  { names: ["setsid", "perl"], level: "bad", why: "a run is detached with it" },
  { names: ["flock", "perl"], level: "bad", why: "GPU leases are held with it" },
  {
    names: ["screen"],
    level: "warning",
    why: "without it runs are detached all the same, with no session to look at",
  },
];

function describeTools({ tools }: ServerFacts, { settings }: ChosenTarget): Words[] {
  const needed = TOOLS.filter(({ sync }) => sync === undefined || sync === settings.codeSync);
  const gone = needed.filter(({ names }) => !names.some((name) => name in tools));
  if (gone.length === 0) return [["ok", needed.map(({ names }) => nameTool(tools, names)).join(", ")]];
  return gone.map(({ names, level, why }) => {
    const [name] = names as readonly [string];
    return [level, `no ${names.join(" or ")}: ${why}`, `Install ${name} there, or ask its administrator to.`];
  });
}

function nameTool(tools: ServerFacts["tools"], names: readonly string[]): string {
  const name = names.find((one) => one in tools) ?? "";
  return `${name} ${tools[name] ?? ""}`.trim();
}

function describeDisks({ disks, unwritable }: ServerFacts): Words[] {
  if (unwritable.length > 0) {
    const places = unwritable.join(" and ");
    return [["bad", `${places} cannot be written`, "Set `job_dir` and `Code dir` to folders of your own."]];
  }
  return disks.map(({ path, freeKib, freeInodes }) => {
    const room = `${path}: ${formatBytes(freeKib * 1024)} free`;
    const isFull = freeInodes !== null && freeInodes < LOW_INODES;
    const detail = isFull ? `${room}, only ${freeInodes} inodes` : room;
    if (freeKib >= LOW_KIB && !isFull) return ["ok", detail];
    return ["warning", detail, "Free some space, or name another folder: code, logs and results lie there."];
  });
}

/** What it does otherwise than a run would wish. */
function describeHabits({ clockSkewS, banner, killsAtLogout }: ServerFacts): Words[] {
  const skew = formatDuration(Math.abs(clockSkewS));
  const words: Words[] = [];
  if (Math.abs(clockSkewS) > SKEW_S) {
    const detail = `its clock is ${skew} ${clockSkewS < 0 ? "behind" : "ahead"}; how long runs take is measured all the same`;
    words.push(["warning", detail, "Let it be set: `logs --since` and times in lists are wrong by that."]);
  }
  if (banner !== null) {
    const advice = "Print it in interactive shells alone: rsync and scp by hand break on it.";
    words.push(["warning", `its shell prints "${banner}" at every command; Sortie skips it`, advice]);
  }
  if (killsAtLogout === "no_way_round") {
    const detail = "it ends what you started when you log out (KillUserProcesses), your runs as well";
    words.push(["bad", detail, "Ask its administrator for lingering: loginctl enable-linger."]);
  }
  if (killsAtLogout === "scope")
    words.push(["ok", "it ends what you started when you log out; runs start in a scope of their own"]);
  return words;
}

function describeGpus({ fault, gpus, absence }: GpuReport): Words {
  if (fault) return ["bad", fault.message, "Until that is repaired no run gets a GPU there."];
  if (gpus.length === 0) return ["ok", absence ?? "none"];
  return ["ok", `${gpus.length}, ${gpus.filter(({ state }) => state === "free").length} free`];
}
