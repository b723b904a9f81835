import { systemClock } from "../../base/clock.ts";
import { SortieError } from "../../base/error.ts";
import type { Gateway, Job } from "../../gateway/gateway-options.ts";
import type { CaseSpec } from "../../gateway/simulator.ts";
import { startGateway } from "../../gateway/start-gateway.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { applyChecks, type Check, isPassed } from "./check-row.ts";
import { listChecks } from "./checks/table.ts";
import { type DealtGpus, dealGpus } from "./deal-gpus.ts";
import { type Evidence, stages, type Terms } from "./evidence.ts";
import { makeWitness } from "./gateway-witness.ts";
import { makeStudio } from "./make-studio.ts";
import { openFolder } from "./open-folder.ts";
import { playSession } from "./play-sessions.ts";
import { type RehearsalLimits, type RehearseOptions, rehearsalLimits } from "./rehearse-options.ts";
import { countReady, runToEnd } from "./run-to-end.ts";
import { makeScene, type Scene } from "./scene.ts";
import { type Crew, startCrew } from "./start-crew.ts";
import { setDyingWordsApart } from "./tell-evidence.ts";

/** What a rehearsal came to. */
export interface Rehearsal {
  /** No hard check failed. */
  readonly passed: boolean;
  readonly checks: readonly Check[];
  readonly evidence: Evidence;
  readonly tookMs: number;
}

/**
 * Plays a whole job against agents on this machine: a gateway on a free loopback port, the agents as processes, their
 * sessions with what can go wrong in them, a drain, and the end. Whatever the agents do, it ends, and nothing that it
 * started is left. @throws SortieError `rehearsal_folder`; `value_bad` and its like of a GPU; `interrupted` by the signal
 */
export async function rehearse(options: RehearseOptions): Promise<Rehearsal> {
  const { clock = systemClock, keepFolder, onProgress = () => undefined } = options;
  const limits = { ...rehearsalLimits, ...options.limits };
  const startedMs = clock.monotonicMs();
  const tookMs = () => clock.monotonicMs() - startedMs;
  const over = new AbortController();
  const opened: Opened = {};
  const say = sayOnce((text) => onProgress(text, tookMs()));
  const stopListening = passOn(options.signal, over);
  const folder = openFolder(keepFolder);
  try {
    const setting = { clock, limits, say, terms: makeTerms(options, limits), over: over.signal };
    const { gpus, said } = await dealGpus(options, makeLocalRunner());
    if (options.signal?.aborted) throw new SortieError("interrupted");
    if (said !== undefined) say(said);
    const { scene, crew } = await openScene(options, setting, { folder: folder.path, gpus }, opened);
    await runToEnd(scene, crew, over);
    if (options.signal?.aborted) throw new SortieError("interrupted");
    const evidence = setDyingWordsApart(tellEvidence(scene, crew));
    const checks = applyChecks(listChecks(options.payload), evidence);
    return { passed: isPassed(checks), checks, evidence, tookMs: tookMs() };
  } finally {
    over.abort();
    stopListening();
    await opened.crew?.stop();
    await opened.gateway?.stop(0);
    folder.close();
  }
}

/** What has to be closed again, however far the opening came. */
interface Opened {
  gateway?: Gateway;
  crew?: Crew;
}

/** Lets one signal end another; returns what ends that. */
function passOn(signal: AbortSignal | undefined, to: AbortController): () => void {
  const abort = () => to.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return () => signal?.removeEventListener("abort", abort);
}

function makeTerms({ agents, board, payload, budgetMs }: RehearseOptions, limits: RehearsalLimits): Terms {
  const { loadMs, replyMs, windowMs, pongMs, drainMs } = limits;
  return { agents, board, payload, budgetMs, loadMs, replyMs, windowMs, pongMs, drainMs };
}

/** Agents come to the same part one after another: it is told with the first of them. */
function sayOnce(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    said.add(text);
    say(text);
  };
}

type Setting = Pick<Scene, "clock" | "limits" | "say" | "terms" | "over">;

/** A gateway with a job, and the agents that play it; each is put down in `opened` as soon as it is there. */
async function openScene(
  options: RehearseOptions,
  setting: Setting,
  { folder, gpus }: Pick<DealtGpus, "gpus"> & { readonly folder: string },
  opened: Opened,
): Promise<{ scene: Scene; crew: Crew }> {
  const { clock, limits, terms, say } = setting;
  const studio = await makeStudio(terms, limits.pictures, clock.now());
  const witness = makeWitness(clock.monotonicMs);
  const { pingMs, windowMs, drainMs } = limits;
  const gateway = await startGateway({ clock, timers: { pingMs, windowMs, drainMs }, onEvent: witness.see });
  opened.gateway = gateway;
  let scene: Scene | undefined;
  const job: Job = gateway.addJob({
    ...{ owner: "rehearsal", parallelism: terms.agents, cases: listCases(terms) },
    simulator: (policy) => playSession(scene as Scene, policy),
  });
  let crew: Crew | undefined;
  const coming = () => {
    if (crew === undefined) return terms.agents;
    return witness.nowMs() > terms.loadMs ? 0 : Math.max(0, crew.alive() - countReady({ witness }));
  };
  scene = makeScene({ ...setting, studio, witness, job, coming });
  say(terms.agents === 1 ? "starting the agent" : `starting ${terms.agents} agents`);
  const call = { jobUuid: job.uuid, token: job.token, gatewayUrl: gateway.tunnelUrl, folder };
  crew = await startCrew(options, call, { clock, nowMs: witness.nowMs, gpus });
  opened.crew = crew;
  return { scene, crew };
}

function listCases({ agents, board }: Terms): CaseSpec[] {
  return Array.from({ length: agents * stages.length }, (_, index) => ({ task: board, index, seed: index }));
}

function tellEvidence(scene: Scene, crew: Crew): Evidence {
  const { terms, witness, exchanges, sessions, probes, cuts } = scene;
  return {
    ...{ terms, exchanges, sessions, probes, cuts },
    processes: crew.tell(),
    tunnels: witness.tell().filter(({ dialedAtMs, refusals }) => dialedAtMs.length + refusals.length > 0),
    leftovers: crew.leftovers(),
  };
}
