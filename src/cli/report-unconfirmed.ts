import { SortieError } from "../base/error.ts";
import type { Io } from "./io.ts";

/** What a person said who was asked over Feishu. */
interface GivenAnswer {
  /** null: there was no answer that counts. */
  readonly option: string | null;
  readonly by: string | null;
  readonly reason: string;
}

/** Nobody said yes: the plan stays, and how to confirm it is said. `refused`: the answer to a no, as in `Not launched.` */
export function reportUnconfirmed(
  io: Io,
  plan: { readonly id: string; readonly expiresAt: string },
  {
    now,
    refused,
    answer,
    flag = "--yes",
  }: {
    readonly now: Date;
    readonly refused: string;
    readonly answer?: GivenAnswer;
    /** What says yes beforehand. */
    readonly flag?: string;
  },
): number {
  const error = new SortieError("confirmation_needed", { plan: plan.id, flag });
  const confirm = `sortie confirm ${plan.id}`;
  if (io.json) io.printDocument({ plan, confirm, ...(answer && { answer }) });
  else if (io.isTerminal) {
    const leftMs = Date.parse(plan.expiresAt) - now.getTime();
    io.say(`${refused} The plan keeps for ${formatRest(leftMs)}: ${confirm}`);
  } else {
    io.warn(error.message);
    io.warn(error.hint);
  }
  return error.exit;
}

function formatRest(leftMs: number): string {
  const minutes = Math.round(leftMs / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
