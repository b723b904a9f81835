import { join } from "node:path/posix";
import { describeFault, SortieError } from "../base/error.ts";
import { appendEvent } from "../runs/events.ts";
import { judgeRun } from "../runs/judge-run.ts";
import { makeNewRun } from "../runs/new-run.ts";
import type { HostAnswer } from "../runs/observe-script.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { insertRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import { chooseTargetFor, type TargetPlace } from "./choose-target.ts";
import type { Desk } from "./desk.ts";
import { explainEnd } from "./explain-end.ts";
import { findAddressOf, makeTarget, type TargetAddress, THIS_MACHINE } from "./find-target.ts";
import { isAtOrNamed } from "./group-by-host.ts";
import { nameHost } from "./host-name.ts";
import { type JobPlace, makeLocalJobs, makeRemoteJobs } from "./list-jobs.ts";
import { readPidFacts } from "./pid-facts.ts";
import { type Meta, parseMeta } from "./read-meta.ts";
import { settleRuns } from "./settle-runs.ts";

export interface Adoption {
  readonly adopted: readonly { readonly id: string; readonly name: string }[];
  /** Job folders that were left alone, and why. */
  readonly skipped: readonly { readonly folder: string; readonly reason: string }[];
}

/** So many runs are asked about in one question: on this machine 200. */
const AT_ONCE = 200;
/** Over a network what their folders say comes with the answer. */
const AT_ONCE_AWAY = 15;
const UNSTARTED = "it has not started; whoever launched it may start it yet";

/**
 * Takes up runs that the database does not know, from the job folders: after a lost or damaged database. The folders
 * are only looked at: they may be those of another home, whose runs wait or are being launched.
 */
export async function adoptRuns(desk: Desk, jobDir = desk.home.jobs): Promise<Adoption> {
  const place = { address: THIS_MACHINE, section: "local", jobs: makeLocalJobs(jobDir) };
  return adoptFrom(desk, place, AT_ONCE);
}

/** The same on the host of a target. @throws trust_needed, what choosing a target throws, and what keeps the host from answering */
export async function adoptRunsOn(desk: Desk, place: TargetPlace, jobDir: string | null): Promise<Adoption> {
  const choice = await chooseTargetFor(desk, place, { isEntered: false });
  if ("trust" in choice) throw new SortieError("trust_needed", { file: choice.trust.file });
  const { target } = choice;
  const settings = { ...target.settings, jobDir: jobDir ?? target.settings.jobDir };
  const address = findAddressOf(target);
  const { ask } = makeTarget(desk, address, settings);
  if (ask === null) return adoptRuns(desk, settings.jobDir ?? undefined);
  const jobs = await makeRemoteJobs(ask, settings.jobDir);
  return adoptFrom(desk, { address, section: target.section.name, jobs }, AT_ONCE_AWAY);
}

interface AdoptPlace {
  readonly address: TargetAddress;
  /** The target's name. */
  readonly section: string;
  readonly jobs: JobPlace;
}

async function adoptFrom(desk: Desk, place: AdoptPlace, atOnce: number): Promise<Adoption> {
  await settleRuns(desk, isAtOrNamed(place.address, null)); // a run that has ended no longer holds its name
  const adopted: { id: string; name: string }[] = [];
  const skipped: { folder: string; reason: string }[] = [];
  const { jobs } = place;
  const isUnknown = (name: string) => !desk.store.find("SELECT id FROM runs WHERE id = ?", name);
  const names = jobs.names.filter(isUnknown);
  for (let first = 0; first < names.length; first += atOnce) {
    const some = names.slice(first, first + atOnce);
    const handles = some.map((id) => ({ id, jobFolder: join(jobs.jobDir, id), attempt: 1 }));
    const answer = await makeTarget(desk, place.address).observe(handles);
    const metas = await jobs.loadMetas(some);
    for (const { id, jobFolder: folder } of handles) {
      try {
        const run = await readRun(desk, place, { id, folder, meta: metas.get(id) ?? "" }, answer);
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

function keepRun(desk: Desk, run: RunRecord): void {
  desk.store.together(() => {
    insertRun(desk.store, run);
    appendEvent(desk.store, run.id, "adopted", { folder: run.jobFolder }, desk.clock.now());
  });
}

/** A job folder, by the name that is to be that of its run. */
interface FoundJob {
  readonly id: string;
  readonly folder: string;
  /** The text of its `meta.json`. */
  readonly meta: string;
}

/** The run as its folder and its processes show it now, ended or not; else why it cannot be taken up. */
async function readRun(
  desk: Desk,
  place: AdoptPlace,
  { id, folder, meta: text }: FoundJob,
  answer: HostAnswer | null,
): Promise<RunRecord | string> {
  const meta = parseMeta(text);
  if (!meta) return "it holds no meta.json of a run";
  if (meta.id !== id) return `its meta.json is that of ${meta.id}`;
  if (Boolean(place.address.remote) !== Boolean(meta.remote)) return describeOther(meta);
  const seen = answer?.runs.get(meta.id);
  if (!answer || !seen) return "its host did not say what it shows";
  if (!seen.pid) return UNSTARTED;
  const launched = makeRecord(desk, place, folder, meta);
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
  const end = isEnded(state) ? await explainEnd(desk, run, verdict) : {};
  return { ...run, ...end, observedAt: desk.clock.now().toISOString() };
}

/** Only who launched it knows how its host is reached. */
function describeOther({ remote }: Meta): string {
  return remote
    ? "it was launched from another machine, over a network: adopt it there, with --target"
    : "it was launched on its host itself: adopt it there";
}

/** The run as it was launched. */
function makeRecord(desk: Desk, { address, section }: AdoptPlace, jobFolder: string, meta: Meta): RunRecord {
  const { code, environment, target, id, name, plan, request, createdAt } = meta;
  const git = { commit: code.commit ?? null, branch: code.branch ?? null, tree: code.tree ?? "" };
  const isAway = address.remote && meta.remote;
  return makeNewRun({
    ...{ id, name, plan, request, createdAt },
    target: isAway ? section : target.name,
    kind: target.kind,
    host: isAway ? nameHost(desk, makeTarget(desk, address)) : target.host,
    environment: { label: environment.label, python: environment.python },
    git: code.kind === "git" ? git : null,
    jobFolder,
    expected: { seconds: null, source: "unknown" },
    notes: ["adopted from its job folder"],
    launcher: { ...desk.identity, start: "" }, // nobody launches it
    startIntentAt: createdAt,
    remote: isAway ? { ...address.remote, ...meta.remote } : null,
    ...(meta.wandb && { wandb: meta.wandb }),
    ...(meta.modal && { modal: meta.modal }),
  });
}
