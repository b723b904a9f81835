import { saveState } from "../../challenge/save-state.ts";
import { type ActionOutcome, defineAction } from "../actions/action.ts";
import { type ActionPlan, type Condition, saveAction } from "../actions/action-plan.ts";
import { checkStateFile, jobVariables } from "./check-state-file.ts";
import { describeHandle, type Handle, loadHandle } from "./load-handle.ts";
import { type Contest, openContest } from "./open-contest.ts";
import { rememberHandle } from "./remember-handle.ts";

interface ResetTerms {
  readonly baseUrl: string;
  readonly id: number | null;
  readonly uuid: string | null;
}

type ResetCondition = Condition & { readonly kind: "handle"; readonly uuid: string | null };

/** Done at once where no live job is forgotten by it, else a plan. @throws state_file_unreadable, state_file_broken */
export async function resetJob(contest: Contest): Promise<{ plan: ActionPlan } | { outcome: ActionOutcome }> {
  checkStateFile(contest);
  const isEmpty = jobVariables.every((name) => !isSet(contest, name));
  const handle = isEmpty ? null : await loadHandle(contest);
  if (!handle?.isLive) return { outcome: await clearJob(contest) };
  return { plan: planReset(contest, handle) };
}

function planReset({ desk, session, state }: Contest, handle: Handle): ActionPlan {
  const shown = describeHandle(handle);
  const { id, uuid } = handle;
  return saveAction<ResetTerms, ResetCondition>(desk, {
    action: "challenge reset",
    terms: { baseUrl: session.baseUrl, id, uuid },
    restsOn: [{ kind: "handle", uuid }],
    notes: [`warning: ${shown} has not ended`],
    sideEffects: [
      `remove ${jobVariables.join(", ")} from ${state.path}`,
      `forget ${shown} as the current job: it goes on, and so do its agents; its handle stays among the known jobs`,
    ],
    look: "sortie challenge jobs",
  });
}

export const action = defineAction<ResetTerms, ResetCondition>({
  async findChanges(desk, { terms }) {
    const contest = openContest(desk, { baseUrl: terms.baseUrl });
    checkStateFile(contest);
    const uuid = contest.state.values.JOB_UUID ?? null;
    return uuid === null || uuid === terms.uuid ? [] : [`the current job is ${uuid} now`];
  },
  execute: async (desk, { baseUrl }) => clearJob(openContest(desk, { baseUrl })),
});

async function clearJob(contest: Contest): Promise<ActionOutcome> {
  const { desk, state } = contest;
  const cleared = jobVariables.filter((name) => isSet(contest, name));
  if (cleared.length === 0)
    return { document: { cleared, file: state.path }, words: [`${state.path} holds no job.`] };
  await rememberHandle(contest);
  const { path, said } = saveState(desk.env, Object.fromEntries(cleared.map((name) => [name, null])));
  return {
    document: { cleared, file: path },
    words: [`Removed from ${path}: ${cleared.join(", ")}.`, ...said],
  };
}

/** Also to what only a shell can tell. */
function isSet({ state }: Contest, name: (typeof jobVariables)[number]): boolean {
  return state.values[name] !== undefined || state.unread[name] !== undefined;
}
