import { Gauge, type Registry } from "prom-client";
import { showCounter, showGauge } from "./register-metrics.ts";

/** What is looked at only when Prometheus asks. */
export interface Gauges {
  /** Agents by what they do: `queued`, `warmup`, `running`, `draining`, and `away` for one inside its window. */
  countAgents(): Readonly<Record<string, number>>;
  /** Cases that wait for a seat and an agent, by board. */
  countWaiting(): Readonly<Record<string, number>>;
  /** Cases that are being played, by board. */
  countPlaying(): Readonly<Record<string, number>>;
  /** Bytes that recordings take on disk, with those that are being written. */
  readonly countRecordingBytes?: () => number;
}

export function showGauges(registry: Registry, gauges: Gauges): void {
  const show = (name: string, help: string, label: string, count: () => Readonly<Record<string, number>>) => {
    new Gauge({
      ...{ name, help, labelNames: [label], registers: [registry] },
      collect() {
        this.reset();
        for (const [value, number] of Object.entries(count())) this.set({ [label]: value }, number);
      },
    });
  };
  show("sortie_agents", "Agents that hold a slot, by state.", "state", gauges.countAgents);
  show("sortie_cases_waiting", "Cases that have not begun.", "board", gauges.countWaiting);
  show("sortie_cases_playing", "Cases that are being played.", "board", gauges.countPlaying);
  const { countRecordingBytes } = gauges;
  if (countRecordingBytes !== undefined) {
    showGauge(
      registry,
      "sortie_recordings_bytes",
      "Bytes that recordings take on disk.",
      countRecordingBytes,
    );
  }
  showProcess(registry);
}

/** Under the names that dashboards for Node.js look for; without the timers that the ready-made set brings. */
function showProcess(registry: Registry) {
  showGauge(registry, "process_resident_memory_bytes", "Resident memory.", process.memoryUsage.rss);
  showGauge(registry, "process_start_time_seconds", "When the process began, in seconds since 1970.", () =>
    Math.round(performance.timeOrigin / 1000),
  );
  showCounter(registry, "process_cpu_seconds_total", "Processor time, user and system.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  let last = performance.eventLoopUtilization();
  showGauge(
    registry,
    "nodejs_eventloop_utilization",
    "Busy share of the event loop since asked last.",
    () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
  );
}
