import { Encoder, ExtData } from "@msgpack/msgpack";
import { describeFault, SortieError } from "../base/error.ts";
import { payloadLimits } from "./unpack.ts";

/** What can be packed. A `bigint` has at most 64 bits; properties that are undefined are left out. */
export type Packable =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | ExtData
  | readonly Packable[]
  | { readonly [key: string]: Packable };

export interface PackOptions {
  /**
   * Every `number` becomes a float64, also 1 and 0, so that a list of floats holds floats alone. What must stay an
   * integer is given as `bigint`.
   */
  readonly forceFloat?: boolean;
  /** About how many bytes will come out: spares the growing of the buffer where there are pictures. */
  readonly expectedBytes?: number;
}

/** Packs a value as msgpack, into a view of a buffer that may be larger; SortieError `payload_unpackable` for what msgpack has no form for. */
export function pack(
  value: Packable,
  { forceFloat = false, expectedBytes = 2048 }: PackOptions = {},
): Uint8Array {
  const encoder = new Encoder({
    useBigInt64: true,
    forceIntegerToFloat: forceFloat,
    ignoreUndefined: true,
    maxDepth: payloadLimits.maxDepth,
    initialBufferSize: expectedBytes,
    extensionCodec: {
      tryToEncode: (item: unknown) => (item instanceof ExtData ? item : null),
      decode: () => null,
    },
  });
  try {
    // The encoder is used once, so nothing else writes to the buffer that this view shares.
    return encoder.encodeSharedRef(value);
  } catch (thrown) {
    throw new SortieError("payload_unpackable", { reason: describeFault(thrown) }, thrown);
  }
}

/** A msgpack ext value, to be packed. */
export function makeExt(type: number, data: Uint8Array): ExtData {
  return new ExtData(type, data);
}
