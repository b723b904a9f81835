import type { RunRecord } from "../runs/run-record.ts";
import { moveRun } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";

/**
 * A start that came to nothing: the run takes up its place in line again. Should its supervisor start even now, `pid`
 * is there, and the next start only finds it. `run` is what the decision rests on: where another process has returned
 * it already, and the next watcher may be starting it by now, nothing is done.
 */
export function returnToLine(desk: Desk, run: RunRecord, waitingFor: string | null): void {
  const isSame = ({ launcher, startIntentAt }: RunRecord) =>
    launcher.pid === run.launcher.pid &&
    launcher.start === run.launcher.start &&
    startIntentAt === run.startIntentAt;
  moveRun(desk.store, run.id, "waiting", { waitingFor, startIntentAt: null }, isSame);
}
