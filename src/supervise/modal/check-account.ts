import { SortieError } from "../../base/error.ts";
import { listSecrets, listVolumes, loadWorkspace, type ModalProgram } from "../../targets/modal/ask-modal.ts";
import type { Desk } from "../desk.ts";
import type { ModalTerms } from "./modal-terms.ts";

/** What a run needs of the account, and which settings name it. */
export interface AccountNeeds extends Pick<ModalTerms, "secrets" | "volumes"> {
  /** For people: the keys of a section, or the app's own file. */
  readonly places: { readonly secrets: string; readonly volumes: string };
}

/** The person's own program `modal`, as it is found from a folder. */
export function openModal({ runner, env, leaving }: Desk, cwd: string): ModalProgram {
  return { runner, env, cwd, ...(leaving && { signal: leaving }) };
}

/**
 * Looks at Modal for what a run needs, before anything is billed: the workspace that would pay, or null where the program
 * does not tell. @throws modal_program_missing, modal_login_missing, modal_secret_missing, modal_volume_missing, modal_away
 */
export async function checkAccount(modal: ModalProgram, needs: AccountNeeds): Promise<string | null> {
  const { secrets, volumes, places } = needs;
  const [login, known, kept] = await Promise.allSettled([
    loadWorkspace(modal),
    secrets.length > 0 ? listSecrets(modal) : [],
    volumes.length > 0 ? listVolumes(modal) : [],
  ]);
  if (login.status === "rejected") throw login.reason;
  if (known.status === "rejected") throw known.reason;
  if (kept.status === "rejected") throw kept.reason;
  const workspace = login.value === null ? "" : ` (workspace ${login.value})`;
  const refuse = (
    code: "modal_secret_missing" | "modal_volume_missing",
    missing: string[],
    place: string,
  ) => {
    const [first] = missing;
    if (first !== undefined)
      throw new SortieError(code, { missing: missing.join(", "), first, place, workspace });
  };
  const listMissing = (names: readonly string[], there: readonly string[]) =>
    names.filter((name) => !there.includes(name));
  refuse("modal_secret_missing", listMissing(secrets, known.value), places.secrets);
  refuse("modal_volume_missing", listMissing(volumes, kept.value), places.volumes);
  return login.value;
}
