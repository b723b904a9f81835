import { SortieError } from "../../base/error.ts";
import type { RunRequest } from "../../runs/run-record.ts";
import { summarizeSend } from "../../sync/send/describe-send.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { findSyncWish } from "../draft-code.ts";
import { draftSync } from "../remote/draft-sync.ts";
import type { RentalTerms } from "./rental-terms.ts";

/** What would be sent to a machine that is not there yet. @throws what cannot be sent */
export async function draftRentalCode(
  desk: Desk,
  request: RunRequest,
  chosen: ChosenTarget,
): Promise<RentalTerms["sent"]> {
  const draft = await draftSync(desk, request, findSyncWish(chosen));
  if (draft.kind !== "rsync")
    throw new SortieError("internal", { reason: "a rented machine is sent its code" });
  const { hash, files, bytes } = summarizeSend(draft.send);
  return { hash, files, bytes };
}
