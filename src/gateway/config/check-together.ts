import type { ListenPlace } from "../listen.ts";
import { addFault, openBelow, type Section } from "./config-section.ts";
import type { GatewayConfig } from "./gateway-config.ts";

/** Adds the faults of values that are each right by itself, and not beside each other. */
export function checkTogether(root: Section, { timers, listen, policy }: GatewayConfig): void {
  if (timers.pingMs >= timers.readDeadlineMs) {
    const section = openAgain(root, "timers");
    const key = section.values.has("read_deadline") ? "read_deadline" : "ping";
    const problem = "ends every link of an agent that says nothing: read_deadline is no longer than ping";
    addFault(section, key, problem, "make read_deadline twice as long as ping, or longer");
  }
  const places = [
    ["listen", listen],
    ["openpi", policy.openpi],
    ["corobot", policy.corobot],
  ] as const;
  for (const [at, [name, place]] of places.entries()) {
    const other = places.slice(0, at).find(([, before]) => isSamePlace(before, place));
    if (other === undefined) continue;
    const section = openAgain(root, "policy");
    addFault(
      section,
      name,
      `is the port of ${other[0]} too`,
      "choose another port, 0 for any that is free, or off",
    );
  }
}

/** A section that was read before: what is wrong with it by itself has been told. */
function openAgain(root: Section, key: string): Section {
  return { ...openBelow({ ...root, faults: [] }, key, undefined), faults: root.faults };
}

function isSamePlace(one: ListenPlace | undefined, other: ListenPlace | undefined): boolean {
  if (one === undefined || other === undefined || one.port === 0 || one.port !== other.port) return false;
  return one.host === other.host || isEveryAddress(one) || isEveryAddress(other);
}

function isEveryAddress({ host }: ListenPlace): boolean {
  return host === "0.0.0.0" || host === "::";
}
