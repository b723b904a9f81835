import { describeFault } from "../base/error.ts";
import { loadGpuReport } from "../gpus/load-gpus.ts";
import { findProgram } from "../process/find-program.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import type { Environment } from "./desk.ts";
import { examineHome } from "./examine-home.ts";
import { examineStore } from "./examine-store.ts";
import { examineTargets } from "./examine-targets.ts";
import { type Finding, makeFinding } from "./finding.ts";
import { examineNews } from "./news/examine-news.ts";

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

/**
 * Looks at everything that Sortie needs on this machine, and on the hosts of the project's targets; also when the
 * database is damaged or a tool is missing. It makes nothing: neither a home folder nor a database. `cwd` is the folder
 * of the project; null: there is none.
 */
export async function examine(options: {
  env: Environment;
  self: readonly string[];
  cwd: string | null;
}): Promise<Finding[]> {
  const { env, cwd } = options;
  const gpus = await examineGpus(env);
  const targets = cwd === null ? [] : await examineTargets({ env, cwd });
  const news = await examineNews(env);
  const store = await examineStore(options);
  return [examineHome(env), ...store, ...examineTools(env), gpus, ...news, ...targets];
}

function examineTools(env: Environment): Finding[] {
  return TOOLS.map(({ name, need, why }) => {
    const place = findProgram(name, env);
    if (place !== null) return makeFinding(name, "ok", place);
    return makeFinding(name, need, `not found; it ${why}`, `Install ${name}.`);
  });
}

async function examineGpus(env: Environment): Promise<Finding> {
  try {
    const report = await loadGpuReport(makeLocalRunner(), { env });
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
