import { existsSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";
import { isObject } from "../../base/shape.ts";
import { writeFileAtomic } from "../../disk/atomic-file.ts";
import { parseLooseJson } from "../../metrics/files/parse-loose-json.ts";
import type { RunRecord, RunWandb } from "../../runs/run-record.ts";
import { changeRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { loadRunNow } from "../find-runs.ts";
import { askServer, type ServerCall } from "./ask-server.ts";
import { findKey } from "./find-key.ts";
import { makeRunLink } from "./run-link.ts";
import { chooseRunUrl } from "./server-address.ts";

const PAGE_STEPS = 1000;
/** More rows than these are left out, which is told. */
const MOST_ROWS = 200_000;
const MOST_PAGES = 2000;

const RUN_QUERY = `query Run($entity: String, $project: String!, $run: String!) {
  project(name: $project, entityName: $entity) {
    entityName
    run(name: $run) { name displayName state summaryMetrics historyKeys }
  }
}`;
const PAGE_QUERY = `query HistoryPage($entity: String, $project: String!, $run: String!, $minStep: Int64!, $maxStep: Int64!, $pageSize: Int!) {
  project(name: $project, entityName: $entity) {
    run(name: $run) { history(minStep: $minStep, maxStep: $maxStep, samples: $pageSize) }
  }
}`;

/** What W&B keeps of a run, as `wandb.json` holds it. */
export interface PulledRun {
  readonly link: string | null;
  readonly entity: string | null;
  readonly project: string;
  readonly id: string;
  readonly name: string | null;
  readonly state: string | null;
  readonly summary: Readonly<Record<string, unknown>>;
  /** A row a step, as it was logged; steps are `_step`. */
  readonly history: readonly Readonly<Record<string, unknown>>[];
  /** There are more rows than were brought. */
  readonly isCut: boolean;
}

/**
 * Brings curves and summary of a run from W&B, page by page, into `wandb.json` in the run's folder at home.
 * @throws wandb_not_logged, wandb_login_missing, wandb_login_refused, wandb_run_missing, wandb_away
 */
export async function pullRun(
  desk: Desk,
  wanted: string,
): Promise<{ readonly run: RunRecord; readonly pulled: PulledRun; readonly file: string | null }> {
  const run = await loadRunNow(desk, wanted);
  if (!run.wandb) throw new SortieError("wandb_not_logged", { run: run.name });
  const url = chooseRunUrl(desk, run.wandb);
  const key = await findKey(desk, url, run.request.configFrom ?? run.request.cwd, run.target);
  if (key === null) throw new SortieError("wandb_login_missing", { host: new URL(url).host });
  const pulled = await pull({ url, key }, run.wandb);
  const { entity } = pulled;
  if (entity !== null && run.wandb.entity === null)
    changeRun(desk.store, run.id, { wandb: { ...run.wandb, entity } });
  return { run, pulled, file: keep(run, pulled) };
}

async function pull(call: ServerCall, wandb: RunWandb): Promise<PulledRun> {
  const { entity: asked, project, id } = wandb;
  const names = { entity: asked, project, run: id };
  const found = (await askServer(call, RUN_QUERY, names))["project"];
  const run = isObject(found) ? found["run"] : null;
  if (!isObject(found) || !isObject(run)) {
    const path = [...(asked === null ? [] : [asked]), project, id].join("/");
    throw new SortieError("wandb_run_missing", { host: new URL(call.url).host, path });
  }
  const entity = readText(found["entityName"]) ?? asked;
  return {
    link: makeRunLink({ ...wandb, url: call.url, entity }),
    ...{ entity, project, id, name: readText(run["displayName"]), state: readText(run["state"]) },
    summary: parseObject(run["summaryMetrics"]) ?? {},
    ...(await pullHistory(call, { ...names, entity }, findLastStep(run["historyKeys"]))),
  };
}

/** null: not told, so that pages are asked for until one is empty. */
function findLastStep(keys: unknown): number | null {
  const last = isObject(keys) ? keys["lastStep"] : null;
  return typeof last === "number" && Number.isFinite(last) ? last : null;
}

async function pullHistory(
  call: ServerCall,
  names: Readonly<Record<string, string | null>>,
  lastStep: number | null,
): Promise<Pick<PulledRun, "history" | "isCut">> {
  const history: Record<string, unknown>[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const minStep = page * PAGE_STEPS;
    if (lastStep !== null && minStep > lastStep) return { history, isCut: false };
    const range = { minStep, maxStep: minStep + PAGE_STEPS, pageSize: PAGE_STEPS };
    const rows = readPage(await askServer(call, PAGE_QUERY, { ...names, ...range }));
    if (rows.length === 0 && lastStep === null) return { history, isCut: false };
    history.push(...rows);
    if (history.length > MOST_ROWS) return { history: history.slice(0, MOST_ROWS), isCut: true };
  }
  return { history, isCut: true };
}

/** Rows are texts of JSON; one that is none is left out. */
function readPage({ project }: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const run = isObject(project) ? project["run"] : null;
  const rows = isObject(run) ? run["history"] : null;
  return Array.isArray(rows)
    ? (rows as unknown[])
        .slice(0, PAGE_STEPS)
        .map(parseObject)
        .filter((row) => row !== null)
    : [];
}

/** Home is where its results are; what is not home yet has no folder there. */
function keep(run: RunRecord, pulled: PulledRun): string | null {
  const { resultsFolder } = run;
  if (resultsFolder === null || !existsSync(resultsFolder)) return null;
  const file = join(resultsFolder, "wandb.json");
  writeFileAtomic(file, `${JSON.stringify({ schema: 1, run: run.id, ...pulled }, null, 1)}\n`);
  return file;
}

function readText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function parseObject(value: unknown): Record<string, unknown> | null {
  // W&B's clients write NaN and infinities as Python does.
  const read = typeof value === "string" ? parseLooseJson(value) : value;
  return isObject(read) ? read : null;
}
