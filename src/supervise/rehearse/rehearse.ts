import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import type { Gateway, Job } from "../../gateway/gateway-options.ts";
import type { CaseSpec } from "../../gateway/simulator.ts";
import { startGateway } from "../../gateway/start-gateway.ts";
import { applyChecks, type Check, isPassed } from "./check-row.ts";
import { listChecks } from "./checks/table.ts";
import type { Evidence, Terms } from "./evidence.ts";
import { makeWitness, type Witness } from "./gateway-witness.ts";
import { makeStudio } from "./make-studio.ts";
import { playSession, stages } from "./play-sessions.ts";
import { type RehearsalLimits, type RehearseOptions, rehearsalLimits } from "./rehearse-options.ts";
import { makeScene, type Scene } from "./scene.ts";
import { type Crew, startCrew } from "./start-crew.ts";
import { setDyingWordsApart } from "./tell-evidence.ts";
import { waitUntil } from "./wait-until.ts";

/** What a rehearsal came to. */
export interface Rehearsal {
  /** No hard check failed. */
  readonly passed: boolean;
  readonly checks: readonly Check[];
  readonly evidence: Evidence;
  readonly tookMs: number;
}

/** So long after the last session nothing more is expected of agents that have a window to come back in. */
const SLACK_MS = 2_000;

/**
 * Plays a whole job against agents on this machine: a gateway on a free loopback port, the agents as processes, their
 * sessions with what can go wrong in them, a drain, and the end. Whatever the agents do, it ends, and nothing that it
 * started is left.
 */
export async function rehearse(options: RehearseOptions): Promise<Rehearsal> {
  const limits = { ...rehearsalLimits, ...options.limits };
  const folder = makeFolder(options.keepFolder);
  const startedMs = systemClock.monotonicMs();
  const over = new AbortController();
  options.signal?.addEventListener("abort", () => over.abort(), { once: true });
  if (options.signal?.aborted) over.abort();
  const studio = await makeStudio(options.board, options.payload, limits.pictures);
  const witness = makeWitness(systemClock.monotonicMs);
  const gateway = await startGateway({
    timers: { pingMs: limits.pingMs, windowMs: limits.windowMs, drainMs: limits.drainMs },
    onEvent: witness.see,
  });
  try {
    const terms = makeTerms(options, limits);
    const stageSetting = {
      witness,
      studio,
      terms,
      limits,
      over: over.signal,
      say: sayOnce(options.onProgress),
    };
    const { scene, crew } = await openScene(options, gateway, stageSetting, folder);
    await runToEnd(scene, crew, over);
    const evidence = setDyingWordsApart(tellEvidence(scene, crew));
    const checks = applyChecks(listChecks(options.payload), evidence);
    return { passed: isPassed(checks), checks, evidence, tookMs: systemClock.monotonicMs() - startedMs };
  } finally {
    await gateway.stop(0);
    if (options.keepFolder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function makeFolder(keepFolder: string | undefined): string {
  if (keepFolder === undefined) return mkdtempSync(join(tmpdir(), "sortie-rehearsal-"));
  try {
    mkdirSync(keepFolder, { recursive: true });
    accessSync(keepFolder, constants.W_OK);
    return keepFolder;
  } catch (fault) {
    throw new SortieError("rehearsal_folder", { path: keepFolder, reason: describeFault(fault) }, fault);
  }
}

function makeTerms({ agents, board, payload, budgetMs }: RehearseOptions, limits: RehearsalLimits): Terms {
  const { loadMs, replyMs, windowMs, pongMs, drainMs } = limits;
  return { agents, board, payload, budgetMs, loadMs, replyMs, windowMs, pongMs, drainMs };
}

/** Agents come to the same part one after another: it is told with the first of them. */
function sayOnce(say: (text: string) => void = () => undefined): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    said.add(text);
    say(text);
  };
}

type Setting = Pick<Scene, "witness" | "studio" | "terms" | "limits" | "over" | "say">;

async function openScene(
  options: RehearseOptions,
  gateway: Gateway,
  setting: Setting,
  folder: string,
): Promise<{ scene: Scene; crew: Crew }> {
  const { witness, terms, say } = setting;
  let scene: Scene | undefined;
  const job: Job = gateway.addJob({
    owner: "rehearsal",
    parallelism: terms.agents,
    cases: listCases(terms),
    simulator: (policy) => playSession(scene as Scene, policy),
  });
  const call = { jobUuid: job.uuid, token: job.token, gatewayUrl: gateway.tunnelUrl, folder };
  say(terms.agents === 1 ? "starting the agent" : `starting ${terms.agents} agents`);
  const starting = startCrew(options, call, { folder, nowMs: witness.nowMs });
  let crew: Crew | undefined;
  const coming = () => {
    if (crew === undefined) return terms.agents;
    return witness.nowMs() > terms.loadMs ? 0 : Math.max(0, crew.alive() - countReady(witness));
  };
  scene = makeScene({ ...setting, job, coming });
  crew = await starting;
  return { scene, crew };
}

function listCases({ agents, board }: Terms): CaseSpec[] {
  return Array.from({ length: agents * stages.length }, (_, index) => ({ task: board, index, seed: index }));
}

function countReady(witness: Witness): number {
  return witness.tell().filter(({ readyAtMs }) => readyAtMs !== undefined).length;
}

/** Watches until there is nothing more to see, then ends what still runs. */
async function runToEnd(scene: Scene, crew: Crew, over: AbortController) {
  const { job, witness, limits } = scene;
  let isDone = false;
  void Promise.race([job.ended, crew.ended]).then(() => {
    isDone = true;
  });
  let busyAtMs = witness.nowMs();
  while (!isDone && !over.signal.aborted) {
    await crew.look(scene.steadyAnswers);
    const nowMs = witness.nowMs();
    if (scene.playing.size > 0 || countReady(witness) === 0) busyAtMs = nowMs;
    const isLate = nowMs > limits.loadMs && countReady(witness) === 0;
    const isIdle = nowMs - busyAtMs > limits.windowMs + SLACK_MS && scene.coming() === 0;
    if (isLate || isIdle || isGivenUp(scene)) break;
    await systemClock.sleep(limits.lookMs, over.signal);
  }
  // Drained agents may take their time; those that hang have had it.
  const isDrained = witness.tell().some(({ drain }) => drain !== undefined);
  const ending = new AbortController();
  void crew.ended.then(() => ending.abort());
  if (isDrained && !over.signal.aborted) await systemClock.sleep(limits.drainMs, ending.signal);
  witness.markStop();
  over.abort();
  await Promise.all([
    crew.stop(),
    waitUntil(() => scene.playing.size === 0, SLACK_MS, new AbortController().signal),
  ]);
  await crew.ended;
}

/** No agent is left that more could be tried with. */
function isGivenUp({ givenUp, witness, coming }: Scene): boolean {
  return givenUp.size > 0 && givenUp.size >= countReady(witness) && coming() === 0;
}

function tellEvidence(scene: Scene, crew: Crew): Evidence {
  const { terms, witness, exchanges, probes, cuts } = scene;
  return {
    ...{ terms, exchanges, probes, cuts },
    processes: crew.tell(),
    tunnels: witness.tell().filter(({ dialedAtMs, refusals }) => dialedAtMs.length + refusals.length > 0),
    leftovers: crew.leftovers(),
  };
}
