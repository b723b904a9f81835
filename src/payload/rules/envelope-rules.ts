import { formatBytes } from "../../base/bytes.ts";
import { makePrintable } from "../../base/printable.ts";
import type { Action } from "../action.ts";
import { describeValue, showKey } from "../describe-value.ts";
import { findDialect } from "../dialects.ts";
import { findInside } from "../find-inside.ts";
import { readKeyName } from "../key-names.ts";
import type { Finding, Rule } from "../rule.ts";
import { isMap } from "../unpack.ts";

/** A plain receiver of WebSocket messages in Python takes no more unless it is told to. */
const LARGE_REPLY_BYTES = 1024 * 1024;

/** What wraps the numbers: frame, msgpack, and the outermost map. */
export const envelopeRules: readonly Rule<Action>[] = [
  {
    name: "binary-frame",
    level: "hard",
    wants: "The reply is a binary frame.",
    find: ({ context }) =>
      context.binary === false ? tell("the reply is a text frame: return bytes, not text") : undefined,
  },
  {
    name: "plain-msgpack",
    level: "hard",
    wants: "The reply is one whole msgpack value and nothing behind it.",
    find: ({ fault }) => (fault === undefined ? undefined : tell(`the reply is no msgpack: ${fault}`)),
  },
  {
    name: "no-ext",
    level: "hard",
    wants: "The reply holds no msgpack ext values.",
    needs: ["plain-msgpack"],
    find: ({ value }) => findForeign(value, (dialect) => dialect === "ext"),
  },
  {
    name: "no-ndarray",
    level: "hard",
    wants: "The reply holds no packed numpy arrays.",
    needs: ["plain-msgpack"],
    find: ({ value }) => findForeign(value, (dialect) => dialect !== "ext"),
  },
  {
    name: "no-bin-keys",
    level: "hard",
    wants: "Every key of a map is text.",
    needs: ["plain-msgpack", "no-ndarray"],
    find: ({ value }) => findOddKey(value),
  },
  {
    name: "error-envelope",
    level: "hard",
    wants: "The reply is an action, not an error.",
    needs: ["plain-msgpack"],
    find: findError,
  },
  {
    name: "envelope",
    level: "hard",
    wants: 'The reply is a map with a map "result" in it.',
    needs: ["plain-msgpack", "no-ext", "no-ndarray", "no-bin-keys", "error-envelope"],
    find: findNoResult,
  },
  {
    name: "error-key",
    level: "soft",
    wants: 'A good reply has no key "error".',
    needs: ["envelope"],
    find: ({ value }) =>
      isMap(value) && Object.hasOwn(value, "error")
        ? { path: "error", says: `is ${describeValue(value["error"])}: leave the key out of a good reply` }
        : undefined,
  },
  {
    name: "reply-size",
    level: "soft",
    wants: "The reply has at most 1 MiB.",
    needs: ["plain-msgpack"],
    find: ({ bytes }) =>
      bytes > LARGE_REPLY_BYTES
        ? tell(`the reply has ${formatBytes(bytes)}: many receivers refuse more than 1 MiB`)
        : undefined,
  },
];

/** A finding about the reply as a whole. */
function tell(says: string): Finding {
  return { path: "", says };
}

function findForeign(value: unknown, isWanted: (dialect: string) => boolean): Finding | undefined {
  const found = findInside(value, (inner) => {
    const trace = findDialect(inner);
    return trace !== undefined && isWanted(trace.dialect) ? trace : undefined;
  });
  return found && { path: found.path === "" ? "the reply" : found.path, says: found.hit.says };
}

function findOddKey(value: unknown): Finding | undefined {
  const found = findInside(value, (inner) =>
    isMap(inner) ? Object.keys(inner).find((key) => readKeyName(key).kind !== "text") : undefined,
  );
  if (found === undefined) return undefined;
  const { kind } = readKeyName(found.hit);
  const what = kind === "other" ? "neither text nor a number" : kind === "bytes" ? "bytes" : "a number";
  const place = found.path === "" ? "the reply" : found.path;
  return { path: place, says: `has the key ${showKey(found.hit)}, which is ${what}: keys are text` };
}

/** The simulator asks whether `error` is true, and only then for `result`: an empty error without a result passes. */
function findError({ value }: Action): Finding | undefined {
  if (!isMap(value) || !Object.hasOwn(value, "error")) return undefined;
  const { error, result } = value;
  if (!isFalsy(error)) {
    const said = typeof error === "string" ? makePrintable(error.slice(0, 200)) : describeValue(error);
    return { path: "error", says: `ends the episode; it says: ${said}` };
  }
  if (isMap(result)) return undefined;
  return {
    path: "error",
    says: `is ${describeValue(error)}, so the simulator goes on and finds no "result": give the error a text`,
  };
}

/** What Python takes for false. */
function isFalsy(value: unknown): boolean {
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (isMap(value)) return Object.keys(value).length === 0;
  return !value;
}

function findNoResult({ value }: Action): Finding | undefined {
  if (!isMap(value))
    return { path: "the reply", says: `is ${describeValue(value)}: a map with "result" belongs there` };
  const { result } = value;
  if (isMap(result)) return undefined;
  const advice = Object.hasOwn(value, "left_arm")
    ? 'put what you have under the key "result"'
    : "the action belongs there as a map";
  return { path: "result", says: `is ${describeValue(result)}: ${advice}` };
}
