import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { formatBytes } from "../base/bytes.ts";
import { describeFault, SortieError } from "../base/error.ts";
import { findHome } from "../disk/home.ts";
import { loadGpuReport } from "../gpus/load-gpus.ts";
import { isProcessAlive } from "../process/identity.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import type { Runner } from "../process/runner.ts";
import { listAwayRuns, listLiveRuns } from "../runs/run-store.ts";
import { closeDesk, type Desk, type Environment, openDesk } from "./desk.ts";
import { settleRuns } from "./settle-runs.ts";
import { readWatcherCard } from "./watcher-card.ts";

export interface Finding {
  readonly what: string;
  /** `bad` keeps Sortie from working, `warning` takes something away. */
  readonly level: "ok" | "warning" | "bad";
  readonly detail: string;
  readonly advice: string | null;
}

const TOOLS: readonly { name: string; need: "bad" | "warning"; why: string }[] = [
  { name: "sh", need: "bad", why: "supervises every run" },
  { name: "bash", need: "warning", why: "conda environments and runs on more than six GPUs need it" },
  { name: "tee", need: "bad", why: "writes the log" },
  { name: "awk", need: "bad", why: "reads the process table" },
  { name: "setsid", need: "warning", why: "detaches a run; perl does it where it is missing" },
  { name: "flock", need: "warning", why: "holds the GPU leases; perl does it where it is missing" },
  {
    name: "screen",
    need: "warning",
    why: "gives each run a session that shows its output; without it runs are detached all the same",
  },
  { name: "git", need: "warning", why: "records the code of a run" },
];
const LOW_BYTES = 1_000_000_000;

/** Looks at everything that Sortie needs on this machine; also when the database cannot be opened. */
export async function examine(options: { env: Environment; self: readonly string[] }): Promise<Finding[]> {
  const runner = makeLocalRunner();
  const [tools, gpus] = await Promise.all([
    examineTools(runner, options.env),
    examineGpus(runner, options.env),
  ]);
  return [examineHome(options.env), ...(await examineStore(options)), ...tools, gpus];
}

function examineHome(env: Environment): Finding {
  const { root } = findHome(env);
  const what = "home folder";
  if (!existsSync(root)) return makeFinding(what, "ok", `${root}, made at the first run`);
  try {
    accessSync(root, constants.W_OK);
    const { bavail, bsize } = statfsSync(root);
    const free = bavail * bsize;
    if (free >= LOW_BYTES) return makeFinding(what, "ok", `${root}, ${formatBytes(free)} free`);
    return makeFinding(
      what,
      "warning",
      `${root} has ${formatBytes(free)} free`,
      "Free some space: logs and results lie there.",
    );
  } catch (fault) {
    return makeFinding(
      what,
      "bad",
      `${root}: ${describeFault(fault)}`,
      "Make it writable, or set SORTIE_HOME.",
    );
  }
}

async function examineStore(options: { env: Environment; self: readonly string[] }): Promise<Finding[]> {
  let desk: Desk;
  try {
    desk = openDesk(options);
  } catch (fault) {
    const advice = fault instanceof SortieError ? fault.hint : null;
    return [makeFinding("database", "bad", describeFault(fault), advice)];
  }
  try {
    const check = String(desk.store.find("PRAGMA quick_check")?.["quick_check"]);
    const sound = check === "ok";
    const database = makeFinding(
      "database",
      sound ? "ok" : "bad",
      sound ? desk.store.path : check,
      sound ? null : "Move it aside and run `sortie adopt`.",
    );
    await settleRuns(desk);
    return [database, examineRuns(desk), examineWatcher(desk)];
  } finally {
    closeDesk(desk);
  }
}

function examineRuns(desk: Desk): Finding {
  const live = listLiveRuns(desk.store);
  const silent = live.filter((run) => !run.reachable).map((run) => run.name);
  const away = listAwayRuns(desk.store).map((run) => run.name);
  if (silent.length > 0) {
    return makeFinding(
      "runs",
      "warning",
      `no answer from the host of ${silent.join(", ")}`,
      "They may well go on; look again when the host is back.",
    );
  }
  if (away.length > 0)
    return makeFinding(
      "runs",
      "warning",
      `not brought home: ${away.join(", ")}`,
      "Bring them home with `sortie collect RUN`.",
    );
  return makeFinding("runs", "ok", `${live.length} alive`);
}

function examineWatcher(desk: Desk): Finding {
  const card = readWatcherCard(desk.home);
  if (card && isProcessAlive(card.identity))
    return makeFinding("watcher", "ok", `process ${card.identity.pid}, since ${card.since}`);
  const needed = listLiveRuns(desk.store).length > 0;
  if (!needed) return makeFinding("watcher", "ok", "none, nothing is left to watch");
  return makeFinding(
    "watcher",
    "warning",
    "runs are alive and none watches them",
    "The next `sortie run` starts one, as does `sortie watch`.",
  );
}

async function examineTools(runner: Runner, env: Environment): Promise<Finding[]> {
  const script = TOOLS.map(({ name }) => `command -v ${name} || echo missing`).join("\n");
  const { stdout } = await runner.run(["sh", "-c", script], { timeoutMs: 10_000, env });
  const places = stdout.trimEnd().split("\n");
  return TOOLS.map(({ name, need, why }, index) => {
    const place = places[index] ?? "missing";
    if (place !== "missing") return makeFinding(name, "ok", place);
    return makeFinding(name, need, `not found; it ${why}`, `Install ${name}.`);
  });
}

async function examineGpus(runner: Runner, env: Environment): Promise<Finding> {
  try {
    const report = await loadGpuReport(runner, { env });
    if (report.fault)
      return makeFinding(
        "GPUs",
        "bad",
        report.fault.message,
        "Until that is repaired no run gets a GPU of this machine.",
      );
    if (report.gpus.length === 0) return makeFinding("GPUs", "ok", report.absence ?? "none");
    const free = report.gpus.filter((gpu) => gpu.state === "free").length;
    return makeFinding("GPUs", "ok", `${report.gpus.length}, ${free} free`);
  } catch (fault) {
    return makeFinding("GPUs", "warning", describeFault(fault));
  }
}

function makeFinding(
  what: string,
  level: Finding["level"],
  detail: string,
  advice: string | null = null,
): Finding {
  return { what, level, detail, advice };
}
