import { Histogram, type Registry } from "prom-client";
import type { Clock } from "../../base/clock.ts";
import type { GatewayEvent } from "../gateway-event.ts";
import type { Policy } from "../simulator.ts";
import { wrapPolicy } from "../wrap-policy.ts";

/** Of an action: from the fastest echo on one machine to a model that thinks for a minute. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface ReplyTimes {
  observe(event: GatewayEvent): void;
  watchPolicy(policy: Policy): Policy;
}

/**
 * Splits the time of an action in two: until its observation was first sent, which is the gateway's (a link that is
 * down), and from then until the reply, which is the network's and the handler's.
 */
export function timeReplies(registry: Registry, clock: Pick<Clock, "monotonicMs">): ReplyTimes {
  const asked = new Map<string, number>();
  const sent = new Map<string, number>();
  const seconds = new Histogram({
    name: "sortie_reply_seconds",
    help: "Time of an action; part gateway: until the observation was sent, part agent: from then to the reply.",
    labelNames: ["part"] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  const gateway = seconds.labels("gateway");
  const agent = seconds.labels("agent");
  return {
    observe(event) {
      if (event.type === "observation_sent" && !event.resent) {
        const { sessionId, monotonicMs } = event;
        sent.set(sessionId, monotonicMs);
        const askedMs = asked.get(sessionId);
        if (askedMs !== undefined) gateway.observe((monotonicMs - askedMs) / 1000);
      } else if (event.type === "reply" && event.asked) {
        const sentMs = sent.get(event.sessionId);
        if (sentMs !== undefined) agent.observe((event.monotonicMs - sentMs) / 1000);
        sent.delete(event.sessionId);
      } else if (event.type === "case_ended") {
        sent.delete(event.sessionId);
        asked.delete(event.sessionId);
      }
    },
    watchPolicy: (policy) =>
      wrapPolicy(policy, {
        infer(observation) {
          asked.set(policy.sessionId, clock.monotonicMs());
          return policy.infer(observation);
        },
      }),
  };
}
