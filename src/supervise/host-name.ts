import { hostname } from "node:os";
import type { Target } from "../targets/target.ts";
import type { Desk } from "./desk.ts";

/** A target's host as records and documents name it: also where they are read on another machine. */
export function nameHost(desk: Pick<Desk, "runner" | "identity">, target: Pick<Target, "host">): string {
  return target.host === desk.runner.host ? desk.identity.host : target.host;
}

/** The same host for a person in front of this one. */
export function describeHost(host: string): string {
  return host === hostname() ? "this machine" : host;
}
