import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeFault } from "../base/error.ts";
import { appendEvent } from "../runs/events.ts";
import { nameJobFiles } from "../runs/job-folder.ts";
import { makeNewRun } from "../runs/new-run.ts";
import type { RunRecord, RunRequest } from "../runs/run-record.ts";
import { insertRun } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { settleRuns } from "./settle-runs.ts";

export interface Adoption {
  readonly adopted: readonly { readonly id: string; readonly name: string }[];
  /** Job folders that were left alone, and why. */
  readonly skipped: readonly { readonly folder: string; readonly reason: string }[];
}

/** What `meta.json` holds of a run; see `launch-run.ts`. */
interface Meta {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: string;
  readonly target: { readonly name: string; readonly kind: string; readonly host: string };
  readonly request: RunRequest;
  readonly environment: RunRecord["environment"];
  readonly code: {
    readonly kind: string;
    readonly commit?: string | null;
    readonly branch?: string | null;
    readonly tree?: string;
  };
}

/** Takes up runs that the database does not know, from the job folders: after a lost or damaged database. */
export async function adoptRuns(desk: Desk, jobDir = desk.home.jobs): Promise<Adoption> {
  const adopted: { id: string; name: string }[] = [];
  const skipped: { folder: string; reason: string }[] = [];
  for (const entry of existsSync(jobDir) ? readdirSync(jobDir) : []) {
    const folder = join(jobDir, entry);
    if (desk.store.find("SELECT id FROM runs WHERE id = ?", entry)) continue;
    try {
      const run = makeRecord(desk, folder, readMeta(folder));
      insertRun(desk.store, run);
      appendEvent(desk.store, run.id, "adopted", { folder }, desk.clock.now());
      adopted.push({ id: run.id, name: run.name });
    } catch (fault) {
      skipped.push({ folder, reason: describeFault(fault) });
    }
  }
  await settleRuns(desk);
  return { adopted, skipped };
}

function readMeta(folder: string): Meta {
  return JSON.parse(readFileSync(nameJobFiles(folder).meta, "utf8")) as Meta;
}

/** The run as it was launched; what became of it is then read from the folder like that of any other. */
function makeRecord(desk: Desk, folder: string, meta: Meta): RunRecord {
  const { code, environment, target, id, name, plan, request, createdAt } = meta;
  const git = { commit: code.commit ?? null, branch: code.branch ?? null, tree: code.tree ?? "" };
  return makeNewRun({
    ...{ id, name, plan, request, createdAt },
    target: target.name,
    kind: target.kind,
    host: target.host,
    environment: { label: environment.label, python: environment.python },
    git: code.kind === "git" ? git : null,
    jobFolder: folder,
    expected: { seconds: null, source: "unknown" },
    notes: ["adopted from its job folder"],
    launcher: { ...desk.identity, start: "" },
    startIntentAt: createdAt,
  });
}
