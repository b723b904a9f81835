import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describeFault } from "../base/error.ts";
import { appendEvent } from "../runs/events.ts";
import { judgeRun } from "../runs/judge-run.ts";
import { makeNewRun } from "../runs/new-run.ts";
import type { HostAnswer } from "../runs/observe-script.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { insertRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { explainEnd } from "./explain-end.ts";
import { makeTarget, THIS_MACHINE } from "./find-target.ts";
import { readPidFacts } from "./pid-facts.ts";
import { type Meta, readMeta } from "./read-meta.ts";
import { settleRuns } from "./settle-runs.ts";

export interface Adoption {
  readonly adopted: readonly { readonly id: string; readonly name: string }[];
  /** Job folders that were left alone, and why. */
  readonly skipped: readonly { readonly folder: string; readonly reason: string }[];
}

/** So many runs are asked about in one question. */
const AT_ONCE = 200;
const UNSTARTED = "it has not started; whoever launched it may start it yet";

/**
 * Takes up runs that the database does not know, from the job folders: after a lost or damaged database. The folders
 * are only looked at: they may be those of another home, whose runs wait or are being launched.
 */
export async function adoptRuns(desk: Desk, jobDir = desk.home.jobs): Promise<Adoption> {
  await settleRuns(desk); // a run that has ended no longer holds its name
  const adopted: { id: string; name: string }[] = [];
  const skipped: { folder: string; reason: string }[] = [];
  const folders = listUnknown(desk, jobDir);
  for (let first = 0; first < folders.length; first += AT_ONCE) {
    const some = folders.slice(first, first + AT_ONCE);
    const answer = await makeTarget(desk, THIS_MACHINE).observe(some.map(makeHandle));
    for (const folder of some) {
      try {
        const run = await readRun(desk, folder, answer);
        if (typeof run === "string") {
          skipped.push({ folder, reason: run });
        } else {
          keepRun(desk, run);
          adopted.push({ id: run.id, name: run.name });
        }
      } catch (fault) {
        skipped.push({ folder, reason: describeFault(fault) });
      }
    }
  }
  return { adopted, skipped };
}

function listUnknown(desk: Desk, jobDir: string): string[] {
  return listNames(jobDir)
    .filter((name) => !desk.store.find("SELECT id FROM runs WHERE id = ?", name))
    .map((name) => join(jobDir, name));
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there is no such folder: no run was ever launched there
  }
}

function makeHandle(jobFolder: string) {
  return { id: basename(jobFolder), jobFolder, attempt: 1 };
}

function keepRun(desk: Desk, run: RunRecord): void {
  desk.store.together(() => {
    insertRun(desk.store, run);
    appendEvent(desk.store, run.id, "adopted", { folder: run.jobFolder }, desk.clock.now());
  });
}

/** The run as its folder and its processes show it now, ended or not; else why it cannot be taken up. */
async function readRun(desk: Desk, folder: string, answer: HostAnswer | null): Promise<RunRecord | string> {
  const meta = readMeta(folder);
  if (!meta) return "it holds no meta.json of a run";
  if (meta.id !== basename(folder)) return `its meta.json is that of ${meta.id}`;
  const seen = answer?.runs.get(meta.id);
  if (!answer || !seen) return "this machine did not say what it shows";
  if (!seen.pid) return UNSTARTED;
  const launched = makeRecord(desk, folder, meta);
  const verdict = judgeRun(seen, answer.facts, {
    launcherAlive: null,
    startIntentAt: null,
    hasStarted: false,
    nowMs: desk.clock.now().getTime(),
    host: launched.host,
  });
  const { state, reachable } = verdict;
  const run: RunRecord = { ...launched, ...readPidFacts(seen, launched), state, reachable };
  if (!reachable) return run;
  const end = isEnded(state) ? await explainEnd(makeTarget(desk, run), run, verdict) : {};
  return { ...run, ...end, observedAt: desk.clock.now().toISOString() };
}

/** The run as it was launched. */
function makeRecord(desk: Desk, jobFolder: string, meta: Meta): RunRecord {
  const { code, environment, target, id, name, plan, request, createdAt } = meta;
  const git = { commit: code.commit ?? null, branch: code.branch ?? null, tree: code.tree ?? "" };
  return makeNewRun({
    ...{ id, name, plan, request, createdAt },
    target: target.name,
    kind: target.kind,
    host: target.host,
    environment: { label: environment.label, python: environment.python },
    git: code.kind === "git" ? git : null,
    jobFolder,
    expected: { seconds: null, source: "unknown" },
    notes: ["adopted from its job folder"],
    launcher: { ...desk.identity, start: "" }, // nobody launches it
    startIntentAt: createdAt,
  });
}
