import { toSortieError } from "../../base/error.ts";
import { showUrl } from "../../base/show-url.ts";
import { chooseBaseUrl } from "../../challenge/base-url.ts";
import { loadStateFile, type StateFile } from "../../challenge/state-file.ts";
import type { ContestSymptoms } from "../../diagnosis/contest-symptoms.ts";
import { type ContestDiagnosis, diagnoseContest } from "../../diagnosis/diagnose-contest.ts";
import { findCurrentJob, isJobNumber, type NamedJob } from "../contest/current-job.ts";
import type { Environment } from "../desk.ts";
import { askJob } from "./ask-job.ts";
import { askLogin, leaveLogin } from "./ask-login.ts";
import { makeCleaner } from "./hide-secrets.ts";
import { listLoginCandidates } from "./login-candidates.ts";
import { readAgents } from "./read-agents.ts";
import { readEndpoint } from "./read-endpoint.ts";
import { readEnvironment } from "./read-environment.ts";
import { readStateFile } from "./read-state-file.ts";

export interface ContestQuestion {
  readonly env: Environment;
  readonly self: readonly string[];
  /** A number, a UUID, a name or the start of one; undefined: the current job. */
  readonly wanted?: string | undefined;
  readonly signal: AbortSignal;
}

export interface ContestExamination {
  readonly job: {
    readonly id: number | null;
    readonly uuid: string;
    readonly name: string;
    readonly state: string;
  } | null;
  readonly findings: readonly ContestDiagnosis[];
}

/**
 * Looks at all that a contestant's job rests on, and says what is wrong. It changes nothing: no token is refreshed, no
 * file mended, nothing started. No secret is in what it says.
 */
export async function examineContest(question: ContestQuestion): Promise<ContestExamination> {
  const state = loadStateFile(question.env);
  const { symptoms, known } = await collectSymptoms(question, state);
  const clean = makeCleaner(question.env, state, known?.jobToken ?? "");
  const { job } = symptoms;
  return {
    job: job && { id: Number(job.handle) || null, uuid: job.uuid, name: clean(job.name), state: job.state },
    findings: diagnoseContest(symptoms).map((finding) => ({
      ...finding,
      cause: clean(finding.cause),
      evidence: clean(finding.evidence),
      next: finding.next === null ? null : clean(finding.next),
    })),
  };
}

async function collectSymptoms(question: ContestQuestion, state: StateFile) {
  const { env, self, signal } = question;
  const base = findAddress(env, state);
  const named = findCurrentJob(env, state);
  const wanted = question.wanted?.trim() || (named === null ? null : (named.uuid ?? String(named.id)));
  const candidates = listLoginCandidates({ env, state }, base.url ?? "");
  const { reader, ...login } =
    base.url === null
      ? leaveLogin(candidates, { baseUrl: "", state: "odd", said: base.fault }, new Date())
      : await askLogin(candidates, { baseUrl: base.url, signal, now: () => new Date() });
  const { told, fault, ...look } = await askJob(reader, wanted);
  const uuid = look.job?.uuid ?? guessUuid(wanted, named);
  const { known, ...agents } = await readAgents(uuid, { env, self });
  const place = { env, state, baseUrl: base.url, uuid, told, signal };
  const endpoint = await readEndpoint({ ...place, known: known?.endpoint ?? null });
  const addresses = [base.url, endpoint.url].filter((url) => url !== null);
  const symptoms: ContestSymptoms = {
    ...login,
    ...look,
    job: look.job && { ...look.job, parallelism: look.job.parallelism ?? readParallelism(state, uuid) },
    api: fault === null ? login.api : { ...login.api, state: "odd", said: fault },
    stateFile: readStateFile(state),
    wanted,
    endpoint: { ...endpoint, url: endpoint.url && showUrl(endpoint.url), told: told && showUrl(told) },
    environment: readEnvironment(env, { state, baseUrl: base.url, addresses }),
    ...agents,
  };
  return { symptoms, known };
}

/** One that is no address is told as a finding: the rest can be looked at all the same. */
function findAddress(env: Environment, state: StateFile) {
  try {
    return { url: chooseBaseUrl({ env, state }).url, fault: "" };
  } catch (thrown) {
    return { url: null, fault: toSortieError(thrown).message };
  }
}

/** Where the challenge was not asked, a number is known as that of the current job alone. */
function guessUuid(wanted: string | null, named: NamedJob | null): string | null {
  if (wanted === null || !isJobNumber(wanted)) return wanted;
  return named?.id === Number(wanted) ? named.uuid : null;
}

/** The list of jobs may not tell it; the reply to the submission did. */
function readParallelism({ values }: StateFile, uuid: string | null): number | null {
  if (values.JOB_UUID !== uuid || !/^\d{1,6}$/.test(values.PARALLELISM ?? "")) return null;
  return Number(values.PARALLELISM);
}
