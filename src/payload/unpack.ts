import { Decoder, ExtData } from "@msgpack/msgpack";
import { formatBytes } from "../base/bytes.ts";
import { describeFault } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import { guessFormat } from "./guess-format.ts";
import { makeKeyName } from "./key-names.ts";
import { type MsgpackLimits, type ScanResult, scanMsgpack } from "./scan-msgpack.ts";

/** A value out of msgpack, or in one sentence why there is none. */
export type Unpacked = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: string };

export const payloadLimits: MsgpackLimits = {
  maxBytes: 64 * 1024 * 1024,
  maxDepth: 64,
  maxValues: 1_000_000,
};

/**
 * Takes one msgpack value apart; never throws, whatever the bytes are. Blobs are views of `bytes`, not copies.
 * - Integers written in 64 bits are `bigint`: a time in nanoseconds has more digits than a `number`.
 * - Keys that are no text keep their kind (`key-names.ts`). Every ext value, times too, stays as it came: `isExt`.
 */
export function unpack(bytes: Uint8Array, limits: MsgpackLimits = payloadLimits): Unpacked {
  const found = scanMsgpack(bytes, limits);
  if (found !== undefined) return { fault: describeScan(found, bytes, limits) };
  try {
    return { value: new Decoder(decoderOptions).decode(bytes) };
  } catch (thrown) {
    return { fault: `it cannot be read as msgpack: ${makePrintable(describeFault(thrown))}` };
  }
}

/** Whether a value is msgpack's ext type, which receivers without the sender's own extension cannot read. */
export function isExt(value: unknown): value is ExtData {
  return value instanceof ExtData;
}

/** A map out of msgpack: keys by `makeKeyName`. */
export type PayloadMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is PayloadMap {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array) &&
    !isExt(value)
  );
}

const decoderOptions = {
  useBigInt64: true,
  mapKeyConverter: makeKeyName,
  extensionCodec: {
    tryToEncode: () => null,
    decode: (data: Uint8Array, type: number) => new ExtData(type, data),
  },
};

function describeScan({ fault, at }: ScanResult, bytes: Uint8Array, limits: MsgpackLimits): string {
  const guess = guessFormat(bytes);
  const instead = guess === undefined ? "" : `; it looks like ${guess}`;
  const sentences = {
    empty: "it is empty",
    too_long: `it has ${formatBytes(bytes.length)}, more than the ${formatBytes(limits.maxBytes)} that are read`,
    cut_off: `it ends in the middle of a value that begins at byte ${at}${instead}`,
    trailing: `${bytes.length - at} bytes follow behind the first value, which ends at byte ${at}${instead}`,
    too_deep: `at byte ${at} more than ${limits.maxDepth} maps and lists lie inside each other`,
    too_many: `it holds more than ${limits.maxValues} values`,
    bad_byte: `byte ${at} is 0xc1, which msgpack does not use${instead}`,
  };
  return sentences[fault];
}
