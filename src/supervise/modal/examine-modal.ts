import { toSortieError } from "../../base/error.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { loadWorkspace } from "../../targets/modal/ask-modal.ts";
import type { Environment } from "../desk.ts";
import { type Finding, makeFinding } from "../finding.ts";

/** Whether the program `modal` is there, and somebody is logged in: what a target of that kind needs of this machine. */
export async function examineModal(
  name: string,
  { env, cwd }: { readonly env: Environment; readonly cwd: string },
): Promise<Finding> {
  try {
    const workspace = await loadWorkspace({ runner: makeLocalRunner(), env, cwd });
    return makeFinding(
      name,
      "ok",
      `Modal answers${workspace === null ? "" : `, for the workspace ${workspace}`}`,
    );
  } catch (fault) {
    const { message, hint } = toSortieError(fault);
    return makeFinding(name, "bad", message, hint);
  }
}
