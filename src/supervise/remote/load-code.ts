import { SortieError } from "../../base/error.ts";
import type { CodeToSend, SentCode } from "../../targets/target.ts";
import type { Desk } from "../desk.ts";
import type { Plan, RemoteTerms } from "../plan.ts";

/** The code of a plan, ready to go to its host. */
export interface RemoteCode {
  /** Puts it where the host fetches it from; null: it is sent straight. */
  readonly push: (() => Promise<void>) | null;
  /** null: the host fetches it. */
  readonly toSend: CodeToSend | null;
  /** What must lie there before the run starts. */
  readonly sent: SentCode;
}

/** As it was planned: the list of files lies with the plan. @throws plan_stale when that is gone */
export async function loadCode(_desk: Desk, _plan: Plan, _remote: RemoteTerms): Promise<RemoteCode> {
  throw new SortieError("target_unsupported", { kind: "ssh" });
}
