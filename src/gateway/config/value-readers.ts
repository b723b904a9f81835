import { isAbsolute, resolve } from "node:path";
import { parseBytes } from "../../base/bytes.ts";
import { parseDuration } from "../../base/duration.ts";
import { SortieError } from "../../base/error.ts";
import { findGatewayUrlFault } from "../../base/gateway-url.ts";
import { findLikely } from "../../base/nearest.ts";
import type { ListenPlace } from "../listen.ts";

/** A text as a value, or what is wrong with it and what to write instead. */
export type ValueReader<Value> = (text: string) => { readonly value: Value } | ValueProblem;

export interface ValueProblem {
  readonly problem: string;
  readonly advice: string;
}

const TUNNEL_PATH = "/api/challenge/tunnel";
const LEAST_BYTES = 1e6;
const LONGEST_MS = 30 * 24 * 3600 * 1000;

/** From least to most, in the configuration and of a single user. */
export const limitRanges = { quota: [0, 1_000_000], parallelism: [1, 10_000] } as const;

export function readCount(least: number, most: number): ValueReader<number> {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return { value };
    return { problem: "is no whole number in its range", advice: `write ${least} to ${most}` };
  };
}

export function readChoice<Choice extends string>(choices: readonly Choice[]): ValueReader<Choice> {
  return (text) => {
    const value = choices.find((choice) => choice === text);
    if (value !== undefined) return { value };
    const nearest = findLikely(text, choices);
    const advice = `write ${nearest ? `${nearest}, or another` : "one"} of ${choices.join(", ")}`;
    return { problem: "is none of those that there are", advice };
  };
}

export const readFlag: ValueReader<boolean> = (text) => {
  if (/^(true|false)$/i.test(text)) return { value: text.toLowerCase() === "true" };
  return { problem: "is neither true nor false", advice: "write true or false" };
};

/** Milliseconds. */
export const readTime: ValueReader<number> = (text) => {
  const advice = "write a time such as 20s, 5m or 1h";
  if (/^\d+(\.\d+)?$/.test(text))
    return { problem: "has no unit", advice: `write ${text}s for seconds, or ${text}m for minutes` };
  const ms = readAmount(() => parseDuration(text, "") * 1000);
  if (ms === undefined) return { problem: "is not a time", advice };
  if (ms < 1) return { problem: "is no time at all", advice };
  return ms <= LONGEST_MS ? { value: Math.round(ms) } : { problem: "is longer than 30 days", advice };
};

export const readSize: ValueReader<number> = (text) => {
  const advice = "write a size such as 500MB or 10GB";
  const bytes = readAmount(() => parseBytes(text, ""));
  if (bytes === undefined) return { problem: "is not a size", advice };
  if (bytes === 0) return { problem: "is no room at all", advice };
  return bytes >= LEAST_BYTES ? { value: bytes } : { problem: "is less than 1 MB", advice };
};

/** `127.0.0.1:8700`, `[::1]:8700`, or the port alone, which means 127.0.0.1. */
export const readPlace: ValueReader<ListenPlace> = (text) => {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]:|([\w.-]+):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits !== undefined && port <= 65_535)
    return { value: { host: bracketed ?? plain ?? "127.0.0.1", port } };
  return { problem: "is no address to listen on", advice: 'write 127.0.0.1:8700, or "[::1]:8700" in quotes' };
};

/** undefined for `off`: nothing listens there. */
export const readPlaceOrOff: ValueReader<ListenPlace | undefined> = (text) => {
  if (/^(off|false|none)$/i.test(text)) return { value: undefined };
  const read = readPlace(text);
  return "value" in read ? read : { ...read, advice: `${read.advice}, or off` };
};

/** What agents dial; one without a path gets the path of tunnels. */
export const readPublicUrl: ValueReader<string> = (text) => {
  const fault = findGatewayUrlFault(text);
  const advice = `write wss://HOST${TUNNEL_PATH}`;
  if (fault !== undefined) return { problem: `cannot be dialed: ${fault}`, advice };
  const url = new URL(text);
  if (url.search !== "" || text.includes("?"))
    return { problem: "cannot be dialed: there is a ? in it", advice };
  if (url.pathname === "/") url.pathname = TUNNEL_PATH;
  return { value: url.href };
};

/** An absolute path, from a folder on. */
export function readPath(folder: string): ValueReader<string> {
  return (text) => {
    if (text === "" || text.includes("\0"))
      return { problem: "is no path", advice: "write the path of a folder" };
    return { value: isAbsolute(text) ? resolve(text) : resolve(folder, text) };
  };
}

/** An offset, or a name that this Node.js knows. */
export const readTimeZone: ValueReader<string> = (text) => {
  if (/^[+-](0\d|1[0-4]):[0-5]\d$/.test(text) || /^UTC$/.test(text) || isKnownZone(text))
    return { value: text };
  const advice = 'write an offset such as "+08:00", or a name such as Asia/Shanghai';
  return { problem: "is no time zone", advice };
};

/** Newer releases of Node.js take `+8` and the like too, which others do not. */
function isKnownZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false; // that is how it says so
  }
}

function readAmount(read: () => number): number | undefined {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof SortieError) return undefined;
    throw fault;
  }
}
