import { SortieError } from "../../base/error.ts";
import type { RunRecord, RunRequest } from "../../runs/run-record.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";

const LOOK_BACK = 50;

/**
 * An image, secret or volume that was wrong is wrong again: the same launch is refused until one of the settings or files that
 * the error was about is another. @throws modal_fault_stands
 */
export function refuseStanding(
  desk: Pick<Desk, "store">,
  {
    request,
    chosen,
    states,
  }: { request: RunRequest; chosen: ChosenTarget; states: Readonly<Record<string, string | undefined>> },
): void {
  const last = findLast(desk, request, chosen.section.name);
  const fault = last?.modal?.fault;
  if (!last || !fault || fault.isPassing || fault.change.length === 0) return;
  if (fault.change.some((setting) => states[setting] !== last.modal?.states[setting])) return;
  throw new SortieError("modal_fault_stands", {
    ...{ run: last.name, kind: fault.kind, advice: fault.advice },
    change: fault.change.join(", "),
    evidence: fault.line,
  });
}

/** The newest run of the same command there. */
function findLast(
  { store }: Pick<Desk, "store">,
  request: RunRequest,
  target: string,
): RunRecord | undefined {
  const command = JSON.stringify(request.command);
  return store
    .list("SELECT body FROM runs WHERE live = 0 ORDER BY created_at DESC LIMIT ?", LOOK_BACK)
    .map((row) => JSON.parse(row["body"] as string) as RunRecord)
    .find(
      (run) =>
        run.target === target && run.kind === "modal" && JSON.stringify(run.request.command) === command,
    );
}
