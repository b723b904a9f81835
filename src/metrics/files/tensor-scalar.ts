import { listFields, type ProtoField, readFloat, readInteger, shortenFloat } from "./protobuf.ts";

/** Fields of TensorFlow's `TensorProto`. */
const DTYPE = 1;
const SHAPE = 2;
const CONTENT = 4;
const FLOATS = 5;
const DOUBLES = 6;
const INTEGERS = 7;
const LONGS = 10;
const FLOAT = 1;
const DOUBLE = 2;
const INT32 = 3;
const INT64 = 9;

/** The number of a tensor that holds a single one; null for any other. */
export function readTensorScalar(tensor: Buffer): number | null {
  const fields = listFields(tensor);
  if (countElements(fields) !== 1) return null;
  const dtype = fields.find(({ number }) => number === DTYPE);
  const content = fields.find(({ number }) => number === CONTENT)?.value;
  if (Buffer.isBuffer(content)) return readContent(content, dtype === undefined ? 0 : readInteger(dtype));
  const value = fields.find(({ number }) => [FLOATS, DOUBLES, INTEGERS, LONGS].includes(number));
  return value === undefined ? null : readOnly(value);
}

/** A shape's message holds a dimension a field 2, whose field 1 is its size. */
function countElements(fields: readonly ProtoField[]): number {
  const shape = fields.find(({ number }) => number === SHAPE)?.value;
  if (!Buffer.isBuffer(shape)) return 1;
  const dimensions = listFields(shape).filter(({ number, wire }) => number === 2 && wire === "bytes");
  return dimensions.reduce((count, { value }) => {
    const size = listFields(value as Buffer).find(({ number }) => number === 1);
    return count * (size === undefined ? 0 : readInteger(size));
  }, 1);
}

function readContent(content: Buffer, dtype: number): number | null {
  if (dtype === FLOAT && content.length === 4) return shortenFloat(content.readFloatLE());
  if (dtype === DOUBLE && content.length === 8) return content.readDoubleLE();
  if (dtype === INT32 && content.length === 4) return content.readInt32LE();
  return dtype === INT64 && content.length === 8 ? Number(content.readBigInt64LE()) : null;
}

/** The one value of a list, packed or not. */
function readOnly(field: ProtoField): number | null {
  const { number, value, wire } = field;
  if (number === FLOATS || number === DOUBLES) {
    const bytes = number === FLOATS ? 4 : 8;
    return Buffer.isBuffer(value) && value.length === bytes ? readFloat(field) : null;
  }
  if (wire === "varint") return readInteger(field);
  // A packed list of one is its varint alone: read it as the field of a message.
  const [only] = Buffer.isBuffer(value) ? listFields(Buffer.concat([Buffer.from([8]), value])) : [];
  return only === undefined ? null : readInteger(only);
}
