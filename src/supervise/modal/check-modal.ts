import { toSortieError } from "../../base/error.ts";
import type { Desk } from "../desk.ts";
import type { Plan } from "../plan.ts";
import { checkAccount, openModal } from "./check-account.ts";

/** What has changed at Modal since a plan was made, for people; null: nothing that matters. */
export async function checkModal(desk: Desk, { restsOn, terms }: Plan): Promise<string | null> {
  const rest = restsOn.find((predicate) => predicate.kind === "modal");
  if (rest?.kind !== "modal") return null;
  try {
    await checkAccount(openModal(desk, terms.request.cwd), rest);
    return null;
  } catch (fault) {
    const error = toSortieError(fault);
    if (error.code === "modal_away") throw fault;
    return error.message.replace(/\.$/, "");
  }
}
