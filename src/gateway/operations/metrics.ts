import { Histogram, Registry } from "prom-client";
import type { Clock } from "../../base/clock.ts";
import type { AnsweredRequest } from "../api/api-host.ts";
import type { GatewayEvent } from "../gateway-event.ts";
import type { Policy } from "../simulator.ts";
import { countTunnelEvents } from "./count-tunnel-events.ts";
import { addCounter } from "./register-metrics.ts";
import { type Gauges, showGauges } from "./show-gauges.ts";
import { timeReplies } from "./time-replies.ts";

/** What a gateway counts, in the text that Prometheus reads. */
export interface Metrics {
  /** Takes every event of the gateway; a ping costs an addition. */
  observe(event: GatewayEvent): void;
  countRequest(request: AnsweredRequest): void;
  /** `why`: one of few words, as `wrong` or `too_many`. */
  countLoginRefused(why: string): void;
  /** The same policy; how long its observations wait in the gateway for a link is counted. */
  watchPolicy(policy: Policy): Policy;
  text(): Promise<string>;
  readonly contentType: string;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics in a registry of their own: two gateways of one process do not meet. */
export function makeMetrics(gauges: Gauges, clock: Pick<Clock, "monotonicMs">): Metrics {
  const registry = new Registry();
  const observers = [countTunnelEvents(registry), countCases(registry)];
  const replies = timeReplies(registry, clock);
  const requests = new Histogram({
    name: "sortie_api_request_seconds",
    help: "Requests to the challenge API, from the request to its answer.",
    labelNames: ["method", "route", "status"] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  const refusedLogins = addCounter(
    registry,
    "sortie_logins_refused_total",
    "Logins that were refused.",
    "why",
  );
  showGauges(registry, gauges);
  return {
    observe(event) {
      for (const observe of observers) observe(event);
      replies.observe(event);
    },
    countRequest: ({ method, route, status, ms }) =>
      requests.observe({ method, route, status: String(status) }, ms / 1000),
    countLoginRefused: (why) => refusedLogins.inc({ why }),
    watchPolicy: replies.watchPolicy,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function countCases(registry: Registry): (event: GatewayEvent) => void {
  const attempts = addCounter(
    registry,
    "sortie_case_attempts_total",
    "Cases that were played, or cancelled, by how it went; one that failed and is begun again counts each time.",
    "board",
    "outcome",
    "reason",
  );
  const jobs = addCounter(registry, "sortie_jobs_ended_total", "Jobs that have ended.", "outcome");
  return (event) => {
    if (event.type === "job_ended") jobs.inc({ outcome: event.outcome });
    if (event.type !== "case_ended") return;
    const { failure, score, retried, spec } = event;
    const outcome = failure === undefined ? findOutcome(score) : retried ? "retried" : "failed";
    attempts.inc({ board: spec.board ?? "", outcome, reason: failure ?? "" });
  };
}

function findOutcome(score: number | null | undefined): "scored" | "unscored" {
  return typeof score === "number" ? "scored" : "unscored";
}
