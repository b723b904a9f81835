import { makeBytesKeyName } from "../../payload/key-names.ts";
import { isMap } from "../../payload/unpack.ts";

/** A numpy array of floats. */
export interface FloatArray {
  readonly shape: readonly unknown[];
  /** Row after row. */
  readonly values: readonly number[];
}

const keys = {
  mark: makeBytesKeyName("__ndarray__"),
  data: makeBytesKeyName("data"),
  dtype: makeBytesKeyName("dtype"),
  shape: makeBytesKeyName("shape"),
};

/**
 * The numbers of an array of little-endian floats in openpi's form; undefined for anything else, which is compared as it
 * is.
 */
export function readFloatArray(value: unknown): FloatArray | undefined {
  if (!isMap(value) || !Object.hasOwn(value, keys.mark)) return undefined;
  const { [keys.data]: data, [keys.dtype]: dtype, [keys.shape]: shape } = value;
  if (!(data instanceof Uint8Array) || !Array.isArray(shape)) return undefined;
  const width = findWidth(dtype);
  if (width === undefined || data.length % width !== 0) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const read = (index: number) =>
    width === 4 ? view.getFloat32(index * 4, true) : view.getFloat64(index * 8, true);
  return { shape, values: Array.from({ length: data.length / width }, (_, index) => read(index)) };
}

/** In bytes, by the name of the type, which comes as text or as bytes. */
function findWidth(dtype: unknown): 4 | 8 | undefined {
  const name = dtype instanceof Uint8Array ? new TextDecoder().decode(dtype) : dtype;
  if (name === "<f4") return 4;
  return name === "<f8" ? 8 : undefined;
}
