/** A field of a message in Protocol Buffers' wire format: a number, or the bytes of a text, a message or a packed list. */
export interface ProtoField {
  readonly number: number;
  readonly value: bigint | Buffer;
  readonly wire: "varint" | "fixed64" | "bytes" | "fixed32";
}

const WIRES = ["varint", "fixed64", "bytes", null, null, "fixed32"] as const;

/** The fields of a message in their order; what comes after damage is missing. */
export function listFields(message: Buffer): ProtoField[] {
  const fields: ProtoField[] = [];
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at);
    const wire = tag === null ? null : WIRES[Number(tag.value & 7n)];
    if (tag === null || wire === null || wire === undefined) break;
    const read = readValue(message, tag.end, wire);
    if (read === null) break;
    fields.push({ number: Number(tag.value >> 3n), value: read.value, wire });
    at = read.end;
  }
  return fields;
}

/** The fields of the message that a field holds; none where it holds none. */
export function listInner({ value }: ProtoField): ProtoField[] {
  return Buffer.isBuffer(value) ? listFields(value) : [];
}

export function readText({ value }: ProtoField): string {
  return Buffer.isBuffer(value) ? value.toString("utf8") : "";
}

/** A `double` or a `float` of the message, by the width that it has; NaN where it has neither. */
export function readFloat({ value }: ProtoField): number {
  if (!Buffer.isBuffer(value)) return Number.NaN;
  if (value.length === 8) return value.readDoubleLE();
  return value.length === 4 ? shortenFloat(value.readFloatLE()) : Number.NaN;
}

/** An `int64`: negative ones are written as if they were very large. */
export function readInteger({ value }: ProtoField): number {
  return typeof value === "bigint" ? Number(BigInt.asIntN(64, value)) : Number.NaN;
}

/** A `sint64`, whose last bit is the sign. */
export function readSigned({ value }: ProtoField): number {
  return typeof value === "bigint" ? Number((value >> 1n) ^ -(value & 1n)) : Number.NaN;
}

/** The shortest number that is this one in 32 bits: `0.1`, not 0.10000000149. */
export function shortenFloat(value: number): number {
  for (let digits = 6; digits < 9 && Number.isFinite(value); digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

function readValue(message: Buffer, at: number, wire: ProtoField["wire"]) {
  if (wire === "varint") return readVarint(message, at);
  const length =
    wire === "bytes" ? readVarint(message, at) : { value: wire === "fixed64" ? 8n : 4n, end: at };
  if (length === null || length.value > BigInt(message.length - length.end)) return null;
  const end = length.end + Number(length.value);
  return { value: message.subarray(length.end, end), end };
}

function readVarint(message: Buffer, start: number): { value: bigint; end: number } | null {
  let value = 0n;
  for (let at = start; at < message.length && at - start < 10; at += 1) {
    const byte = message[at] as number;
    value |= BigInt(byte & 127) << BigInt(7 * (at - start));
    if (byte < 128) return { value, end: at + 1 };
  }
  return null;
}
