import { appendEvent } from "../../runs/events.ts";
import { changeRun, loadRun, moveRun } from "../../runs/run-store.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";

/** Ends what is on record of a run whose machine a person has destroyed: nothing of it lives, and nothing more comes home. */
export function closeRun(desk: Desk, id: string, number: number): void {
  const cause = `its machine, the instance ${number}, was destroyed`;
  const at = desk.clock.now();
  desk.store.together(() => {
    const { state, name, results } = loadRun(desk.store, id);
    if (!isEnded(state)) {
      const nextStep = `What had come of its log by then: sortie logs ${name}`;
      moveRun(desk.store, id, "stopped", {
        ...{ endReason: "stopped", endedAt: at.toISOString(), waitingFor: null },
        ...{ cause, nextStep, reachable: true, silence: null },
      });
      appendEvent(desk.store, id, "ended", { state: "stopped", endReason: "stopped" }, at);
    }
    if (results === null) changeRun(desk.store, id, { results: [], collectFault: cause });
  });
}
