import type { RunRequest } from "../../runs/run-record.ts";
import { planSend } from "../../sync/send/plan-send.ts";
import { makePathList } from "../../sync/send/send-list.ts";
import type { Desk } from "../desk.ts";
import type { RemoteTerms } from "../plan.ts";
import { loadSend } from "../remote/sent-files.ts";
import type { ContractTerms } from "./contract-terms.ts";

export interface CodeOfPlan {
  readonly id: string;
  readonly remote: RemoteTerms | null;
  readonly contract: Pick<ContractTerms, "projectFolder">;
  readonly request: Pick<RunRequest, "cwd" | "results">;
}

/**
 * The files of a project that are its code, in the folder in which they lie on the host: paths with a zero byte behind
 * each. null: all files there are, as git has brought them.
 */
export async function listCodeFiles(
  desk: Desk,
  { id, remote, contract, request }: CodeOfPlan,
): Promise<Uint8Array | null> {
  if (remote?.sync.kind === "git") return null;
  if (remote?.sync.kind === "rsync") return makePathList(loadSend(desk, id, remote.sync.hash));
  const list = await planSend(desk.runner, {
    ...{ source: contract.projectFolder, folder: request.cwd, results: request.results, env: desk.env },
    ...{ include: [], exclude: [], copies: [] },
  });
  return makePathList(list);
}
