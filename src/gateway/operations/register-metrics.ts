import { Counter, Gauge, type Registry } from "prom-client";

/** A counter with a value for each of its labels' words, of which there must be few. */
export function addCounter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  ...labels: readonly Label[]
): Counter<Label> {
  return new Counter({ name, help, labelNames: labels, registers: [registry] });
}

/** A counter of what is added up elsewhere, read when Prometheus asks. */
export function showCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    ...{ name, help, registers: [registry] },
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** A gauge that is read when Prometheus asks. */
export function showGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    ...{ name, help, registers: [registry] },
    collect() {
      this.set(read());
    },
  });
}
