import type { ExperimentsLaunched } from "../../notify/notice.ts";
import type { RunRecord } from "../../runs/run-record.ts";

/** Each GPU of a run in words, as far as they are known. */
export type NameGpus = (run: RunRecord) => readonly string[];

/** Of a run that was seen to live. */
export function makeLaunchedNotice(run: RunRecord, nameGpus: NameGpus): ExperimentsLaunched {
  return makeCard(run.id, [run], nameGpus, run.startedAt ?? run.createdAt);
}

/** Of a whole fleet: one card, not one for each agent. */
export function makeFleetLaunchedNotice(
  fleet: { readonly id: string; readonly createdAt: string },
  runs: readonly RunRecord[],
  nameGpus: NameGpus,
): ExperimentsLaunched {
  return makeCard(fleet.id, runs, nameGpus, fleet.createdAt);
}

function makeCard(
  subject: string,
  runs: readonly RunRecord[],
  nameGpus: NameGpus,
  at: string,
): ExperimentsLaunched {
  const experiments = runs.map((run) => ({
    ...{ id: run.id, name: run.name, target: run.target },
    ...{ gpus: nameGpus(run), expectedSeconds: run.expected.seconds },
  }));
  return { kind: "experiment_done", phase: "launched", subject, at, experiments };
}
