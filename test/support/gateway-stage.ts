import { onTestFinished } from "vitest";
import {
  type CaseResult,
  type CaseSpec,
  type GatewayEvent,
  type GatewayOptions,
  type Job,
  type JobSpec,
  type Policy,
  startGateway,
} from "../../src/gateway.ts";
import { dialRaw } from "./raw-agent.ts";
import { waitFor } from "./wait-for.ts";

/** Pings come soon; what ends something does so late, and tests that wait for it set it lower: no busy machine ends it. */
const scaledTimers = { pingMs: 100, readDeadlineMs: 20_000, windowMs: 20_000, drainMs: 20_000 };

/** A case that a test plays by hand. */
export interface StagedCase {
  readonly policy: Policy;
  readonly spec: CaseSpec;
  readonly signal: AbortSignal;
  finish(result?: Partial<CaseResult>): void;
  fail(reason: unknown): void;
}

/** Starts a gateway with scaled timers that keeps its events and stops with the test, and lets the test play the cases. */
export async function startStage(options: GatewayOptions = {}) {
  const events: GatewayEvent[] = [];
  const gateway = await startGateway({
    ...options,
    timers: { ...scaledTimers, ...options.timers },
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => gateway.stop(0));
  const cases: StagedCase[] = [];
  let casesTaken = 0;
  const find = <Type extends GatewayEvent["type"]>(type: Type) =>
    events.filter((event) => event.type === type) as Extract<GatewayEvent, { type: Type }>[];
  return {
    ...gateway,
    events,
    find,
    /** Waits for the event of this type with this number, from 1. */
    waitForEvent: <Type extends GatewayEvent["type"]>(type: Type, number = 1) =>
      waitFor(() => find(type)[number - 1], { what: `event "${type}" number ${number}`, intervalMs: 2 }),
    addJob: (spec: Partial<JobSpec> & { readonly caseCount?: number } = {}) => {
      const { caseCount = 1, ...rest } = spec;
      return gateway.addJob({
        owner: "ann",
        parallelism: 4,
        cases: Array.from({ length: caseCount }, (_, index) => ({ task: "pick", index, seed: index })),
        simulator: (policy, played, signal) =>
          new Promise((resolve, reject) => {
            const finish = (result: Partial<CaseResult> = {}) => resolve({ score: 1, steps: 1, ...result });
            const infer = (observation: Uint8Array) => {
              const action = policy.infer(observation);
              action.catch(() => undefined); // a test that ends in mid-session asks no more
              return action;
            };
            const staged = { sessionId: policy.sessionId, infer };
            cases.push({ policy: staged, spec: played, signal, finish, fail: reject });
          }),
        ...rest,
      });
    },
    /** The next case that a tunnel has begun to play. */
    nextCase: async () => {
      const number = casesTaken++;
      return waitFor(() => cases[number], { what: `case number ${number + 1}`, intervalMs: 2 });
    },
  };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;

/** A raw agent in the middle of a session, with the observation `look` to answer. */
export async function openSession(stage: Stage, jobSpec: Parameters<Stage["addJob"]>[0] = {}) {
  const job = stage.addJob(jobSpec);
  const agent = await dialReady(stage, job);
  const played = await stage.nextCase();
  const action = played.policy.infer(Buffer.from("look"));
  await agent.waitForFrame();
  return { job, agent, played, sessionId: played.policy.sessionId, action };
}

/** A raw agent that is warmed up. */
export async function dialReady(stage: Stage, job: Job, options: Parameters<typeof dialRaw>[2] = {}) {
  const agent = await dialRaw(stage, job, options);
  await agent.waitForControl("warmup");
  agent.say({ type: "ready" });
  return agent;
}
