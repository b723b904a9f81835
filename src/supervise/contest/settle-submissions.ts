import { SortieError } from "../../base/error.ts";
import { quoteInput } from "../../base/quote-input.ts";
import { findJobsByName } from "../../challenge/api/jobs.ts";
import { keepJob } from "./keep-job.ts";
import { type Contest, openContest } from "./open-contest.ts";
import { dropIntent, listLeftIntents, type SubmissionIntent } from "./submission-intents.ts";
import { makeFoundHandle } from "./take-over-job.ts";

/** A server may still be at work on what a command sent that was killed a moment ago. */
const ARRIVES_WITHIN_MS = 60_000;

/**
 * Takes over what commands submitted that were killed before the reply was kept. What came of it, in sentences. A gateway
 * that cannot be asked now is asked by the next command.
 */
export async function settleSubmissions({ desk, session }: Contest): Promise<string[]> {
  const said: string[] = [];
  for (const intent of listLeftIntents(desk, session.baseUrl)) {
    try {
      const contest = openContest(desk, { baseUrl: session.baseUrl, retries: false });
      said.push(...(await settleOne(contest, intent)));
    } catch (fault) {
      if (!(fault instanceof SortieError)) throw fault;
      said.push(`whether ${describeIntent(intent)} arrived could not be asked: ${fault.message}`);
    }
  }
  return said;
}

async function settleOne(contest: Contest, intent: SubmissionIntent): Promise<string[]> {
  const { terms, before, id, at } = intent;
  const { desk, session } = contest;
  const found = (await findJobsByName(session, terms.name)).filter((job) => !before.includes(job.id));
  const [job] = found;
  if (job === undefined) {
    if (desk.clock.now().getTime() - Date.parse(at) < ARRIVES_WITHIN_MS)
      return [`${describeIntent(intent)} has not arrived yet`];
    dropIntent(desk, id);
    return [`${describeIntent(intent)} never arrived; no slot was used for it`];
  }
  if (found.length > 1 || job.uuid === null) {
    dropIntent(desk, id);
    return [`${describeIntent(intent)} may be any of the jobs ${found.map((one) => one.id).join(", ")}`];
  }
  const { said } = await keepJob(contest, terms, makeFoundHandle({ ...job, uuid: job.uuid }));
  dropIntent(desk, id);
  return [`${describeIntent(intent)} is job ${job.id}, and the current one now`, ...said];
}

function describeIntent({ terms }: SubmissionIntent): string {
  return `the submission ${quoteInput(terms.name)}, whose command was killed,`;
}
