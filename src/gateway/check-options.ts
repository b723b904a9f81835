import { SortieError } from "../base/error.ts";
import { isListOf, isNumber, isOneOf, isShape, isText } from "../base/shape.ts";
import { type GatewayFlags, gatewayFlags, gatewayTimers } from "./gateway-flags.ts";
import type { GatewayOptions, JobSpec } from "./gateway-options.ts";

type Check = (value: unknown) => boolean;

const MOST_PORT = 65_535;

const isTime: Check = (value) => isNumber(value) && Number.isFinite(value) && (value as number) > 0;

const flagValues: { readonly [Name in keyof GatewayFlags]: readonly GatewayFlags[Name][] } = {
  resendOnResume: [true, false],
  sendResume: [true, false],
  strictFrames: [true, false],
  capScope: ["user", "job"],
  closeCodes: ["silent", "typed"],
  emitQueued: [true, false],
};

/** What a program that embeds a gateway gives it. @throws SortieError `gateway_option_bad` */
export function checkGatewayOptions({ host, port, timers, flags }: GatewayOptions): void {
  check("host", host, (value) => isText(value) && value !== "", "an address of this machine");
  check("port", port, isInteger(0, MOST_PORT), `a whole number from 0 to ${MOST_PORT}`);
  checkNames("timers", timers, Object.keys(gatewayTimers));
  for (const [name, value] of Object.entries(timers ?? {}))
    check(`timers.${name}`, value, isTime, "a number of milliseconds above 0");
  checkNames("flags", flags, Object.keys(gatewayFlags));
  for (const [name, value] of Object.entries(flags ?? {}))
    checkOneOf(`flags.${name}`, value, flagValues[name as keyof GatewayFlags]);
}

/** @throws SortieError `gateway_option_bad` */
export function checkJobSpec(spec: JobSpec): void {
  const { uuid, owner, parallelism, cases, simulator } = spec;
  check("uuid", uuid, (value) => isText(value) && value !== "", "a text that is not empty");
  demand("owner", owner, (value) => isText(value) && value !== "", "a text that is not empty");
  // 0 is what a misconfigured account has (PROTOCOL 1.3): nobody is let in.
  demand("parallelism", parallelism, isInteger(0, Number.MAX_SAFE_INTEGER), "a whole number from 0 on");
  demand("cases", cases, isListOf(isCase), "a list of {task, index, seed}");
  demand("simulator", simulator, (value) => typeof value === "function", "a function");
}

const isCase = isShape<{ task: string; index: number; seed: number }>({
  ...{ task: isText, index: isNumber, seed: isNumber },
});

function isInteger(least: number, most: number): Check {
  return (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** An option that may be left out. */
function check(what: string, value: unknown, isGood: Check, wanted: string): void {
  if (value !== undefined) demand(what, value, isGood, wanted);
}

function checkOneOf(what: string, value: unknown, values: readonly (string | boolean)[]): void {
  check(what, value, isOneOf(...values), values.map((one) => JSON.stringify(one)).join(" or "));
}

function demand(what: string, value: unknown, isGood: Check, wanted: string): void {
  if (isGood(value)) return;
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  throw new SortieError("gateway_option_bad", { what, value: shown, wanted });
}

function checkNames(what: string, values: object | undefined, known: readonly string[]): void {
  const unknown = Object.keys(values ?? {}).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new SortieError("gateway_option_bad", { what, value: unknown, wanted: `one of ${known.join(", ")}` });
}
