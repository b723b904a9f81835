import { toSortieError } from "../../base/error.ts";
import { findJob } from "../../challenge/api/jobs.ts";
import { type ApiSession, openSession } from "../../challenge/api/session.ts";
import { loadTunnelEndpoint } from "../../challenge/api/tunnel-endpoint.ts";
import { findBaseUrl } from "../../challenge/base-url.ts";
import { loadStateFile } from "../../challenge/state-file.ts";
import { loadReport } from "../contest/load-report.ts";
import type { Desk } from "../desk.ts";

/** What the challenge says of a job. */
export type JobNow =
  | {
      readonly kind: "live" | "over";
      /** In words. */
      readonly said: string;
      /** It has an agent: a case of it is played, or waits for its turn at the platform. */
      readonly isServed: boolean;
      /** null: the API does not say. */
      readonly parallelism: number | null;
    }
  /** The account has no such job. */
  | { readonly kind: "unknown"; readonly said: string }
  | { readonly kind: "unasked"; readonly said: string };

/** A person waits for the answer, and it is not needed. */
const PATIENCE = { requestMs: 5000, retryTotalMs: 3000 };

export interface JobPlace {
  readonly jobUuid: string;
  /** Of the tunnel. */
  readonly endpoint: string;
  /** As the person named it; null: as environment and state file say. */
  readonly baseUrl: string | null;
}

/** Asks the challenge what became of a job; reads only. Never throws: what cannot be asked is answered so, with the reason. */
export async function askJob(desk: Desk, { jobUuid, endpoint, baseUrl }: JobPlace): Promise<JobNow> {
  const state = loadStateFile(desk.env);
  const named = baseUrl ?? findBaseUrl(desk.env, state, endpoint);
  if (named === null) return { kind: "unasked", said: "no address of its challenge is known" };
  try {
    const session = openPatiently(desk, named);
    if (session.token === null) return { kind: "unasked", said: "nobody is logged in" };
    const job = await findJob(session, jobUuid);
    if (job === null)
      return { kind: "unknown", said: `${session.baseUrl} knows no such job of this account` };
    const report = await loadReport({ desk, session, state }, job);
    return {
      kind: report.isTerminal ? "over" : "live",
      said: report.said,
      isServed: report.state === "running" || report.state === "waiting_for_slot",
      parallelism: report.parallelism,
    };
  } catch (fault) {
    return { kind: "unasked", said: toSortieError(fault).message.replace(/\.$/, "") };
  }
}

/** What the agents dial by the challenge's own word; null: it does not say, or cannot be asked. Never throws. */
export async function askEndpoint(desk: Desk, baseUrl: string | null): Promise<string | null> {
  if (baseUrl === null) return null;
  try {
    const session = openPatiently(desk, baseUrl);
    return session.token === null ? null : await loadTunnelEndpoint(session);
  } catch {
    return null; // the fixed default stands, and the plan says so
  }
}

function openPatiently({ env, clock }: Desk, baseUrl: string): ApiSession {
  return openSession({ baseUrl, env, clock, timers: PATIENCE });
}
