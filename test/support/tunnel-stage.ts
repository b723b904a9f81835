import { onTestFinished } from "vitest";
import type { GatewayOptions, JobSpec } from "../../src/gateway.ts";
import type { AgentOptions } from "../../src/tunnel/agent-options.ts";
import { makePlainHandler, type PlainHandler, type PlayedAgent, type useAgents } from "./agents.ts";
import { type Stage, startStage } from "./gateway-stage.ts";
import { type LinkProxy, startLinkProxy } from "./link-proxy.ts";
import { waitFor } from "./wait-for.ts";

type StageJob = ReturnType<Stage["addJob"]>;

/** The real gateway, a job, and real agents that reach it through a network that a test can break. */
export interface TunnelStage {
  readonly stage: Stage;
  readonly job: StageJob;
  readonly proxy: LinkProxy;
  /** Starts an agent of the job; by default a plain handler of its own answers. */
  start(own?: Partial<AgentOptions>): PlayedAgent & { readonly handler: PlainHandler };
  /** The next case, once its session is open. */
  nextCase: Stage["nextCase"];
}

/** Everything ends with the test. */
export async function startTunnelStage(
  startAgent: ReturnType<typeof useAgents>,
  options: GatewayOptions = {},
  jobSpec: Parameters<Stage["addJob"]>[0] = {},
): Promise<TunnelStage> {
  const stage = await startStage(options);
  const job = stage.addJob(jobSpec);
  const proxy = await startLinkProxy(Number(new URL(stage.tunnelUrl).port));
  onTestFinished(() => proxy.close());
  return {
    stage,
    job,
    proxy,
    start: (own = {}) => {
      const handler = makePlainHandler();
      const gatewayUrl = proxy.route(stage.tunnelUrl);
      const agent = startAgent({ gatewayUrl, jobUuid: job.uuid, token: job.token, handler, ...own });
      return Object.assign(agent, { handler });
    },
    nextCase: () => stage.nextCase(),
  };
}

/** A simulator that asks so often with observations made by number, and says how the answers were. */
export function makeAsking(
  count: number,
  makeObservation: (number: number) => Uint8Array,
  seen: Uint8Array[] = [],
): JobSpec["simulator"] {
  return async (policy) => {
    for (let number = 0; number < count; number += 1) seen.push(await policy.infer(makeObservation(number)));
    return { score: 1, steps: count };
  };
}

/** A handler that waits, at each observation, until it is let go. */
export function makeHeldHandler() {
  const held: (() => void)[] = [];
  const handler = makePlainHandler({
    handle: (_, payload) =>
      new Promise((resolve) => {
        held.push(() => resolve(Buffer.concat([Buffer.from("reply to "), payload])));
      }),
  });
  return {
    handler,
    isBusy: () => waitFor(() => held.length > 0, { what: "a busy handler", intervalMs: 2 }),
    letGo: async () => (await waitFor(() => held.shift(), { what: "a busy handler", intervalMs: 2 }))(),
  };
}
