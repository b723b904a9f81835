import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeBytesKeyName, readKeyName } from "./key-names.ts";
import { makeExt, type Packable, pack } from "./pack.ts";
import { isExt, unpack } from "./unpack.ts";

function bytesOf(...parts: (number | string | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => {
      if (typeof part === "number") return [part];
      return [...(typeof part === "string" ? new TextEncoder().encode(part) : part)];
    }),
  );
}

function read(bytes: Uint8Array): unknown {
  const unpacked = unpack(bytes);
  if (unpacked.fault !== undefined) expect.fail(unpacked.fault);
  return unpacked.value;
}

describe("packing and unpacking", () => {
  it("gives back what was packed", () => {
    const leaf = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      fc.string({ unit: "grapheme" }),
      fc.uint8Array({ maxLength: 300 }),
    );
    const key = fc
      .string({ unit: "grapheme" })
      .filter((text) => text !== "__proto__" && !text.startsWith("\0"));
    const { tree } = fc.letrec<{ tree: Packable }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("tree"), { maxLength: 20 }),
        fc.dictionary(key, tie("tree"), { maxKeys: 20, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(makeComparable(read(pack(value)))).toEqual(makeComparable(value));
      }),
    );
  });

  it("keeps every digit of a time in nanoseconds", () => {
    const time = 1_790_000_000_123_456_789n;
    expect(read(pack({ head: time }))).toEqual({ head: time });
    expect(pack({ head: time })).toEqual(
      bytesOf(0x81, 0xa4, "head", 0xcf, 24, 215, 91, 132, 43, 78, 205, 21),
    );
  });

  it("writes floats alone where that is asked for, and leaves a bigint an integer", () => {
    expect(pack([1, 0.5])).toEqual(bytesOf(0x92, 1, 0xcb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0));
    expect(pack([1, 2n], { forceFloat: true })).toEqual(
      bytesOf(0x92, 0xcb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xcf, 0, 0, 0, 0, 0, 0, 0, 2),
    );
  });

  it("leaves blobs where they are", () => {
    const bytes = pack({ image: new Uint8Array(1000) });
    const value = read(bytes) as { image: Uint8Array };
    expect(value.image.buffer).toBe(bytes.buffer);
  });

  it("keeps an unknown ext, and a time as the ext that it is", () => {
    for (const type of [-1, 42]) {
      const value = read(pack([makeExt(type, bytesOf(1, 2, 3, 4))])) as [unknown];
      expect(isExt(value[0]) && [value[0].type, value[0].data]).toEqual([type, bytesOf(1, 2, 3, 4)]);
    }
  });

  it("tells keys of bytes from keys of text, and reads keys of any kind", () => {
    const bytes = bytesOf(0x84, 0xc4, 2, "nd", 0xc3, 0xa2, "nd", 0xc2, 7, 1, 0xc0, 2);
    const value = read(bytes) as Record<string, unknown>;
    expect(value[makeBytesKeyName("nd")]).toBe(true);
    expect(value["nd"]).toBe(false);
    expect(Object.keys(value).map(readKeyName)).toEqual([
      { kind: "bytes", text: "nd" },
      { kind: "text", text: "nd" },
      { kind: "number", text: "7" },
      { kind: "other", text: "nil" },
    ]);
  });

  it("refuses to pack what msgpack has no form for", () => {
    const loop: Packable[] = [];
    loop.push(loop);
    for (const value of [loop, Symbol("x") as unknown as Packable, (() => 1) as unknown as Packable]) {
      expect(() => pack(value)).toThrow(expect.objectContaining({ code: "payload_unpackable" }));
    }
  });
});

describe("bytes that are no payload", () => {
  it.each<[string, Uint8Array, RegExp]>([
    ["nothing", bytesOf(), /^it is empty$/],
    ["a value cut off", bytesOf(0x82, 0xa1, "a"), /^it ends in the middle of a value/],
    ["two values", bytesOf(0xc0, 0xc0), /^1 bytes follow behind the first value, which ends at byte 1$/],
    ["the unused byte", bytesOf(0x91, 0xc1), /^byte 1 is 0xc1/],
    ["a list that claims 4 billion items", bytesOf(0xdd, 255, 255, 255, 255, 0), /^it ends in the middle/],
    ["a map that claims 4 billion pairs", bytesOf(0xdf, 255, 255, 255, 255, 0), /^it ends in the middle/],
    ["a blob that claims 4 GB", bytesOf(0xc6, 255, 255, 255, 255, 0), /^it ends in the middle/],
    ["a list 100,000 deep", new Uint8Array(100_000).fill(0x91), /^at byte 64 more than 64 maps and lists/],
    [
      "2 million values",
      bytesOf(0xdd, 0, 0x1e, 0x84, 0x80, new Uint8Array(2_000_000)),
      /more than 1000000 values/,
    ],
    [
      "a key that would change every object",
      bytesOf(0x81, 0xa9, "__proto__", 1),
      /cannot be read as msgpack: .*__proto__/,
    ],
    ["JSON", bytesOf('{"result": 1}'), /looks like JSON text: pack it with msgpack$/],
    ["a pickle", bytesOf(0x80, 4, 0x95, 1), /looks like a Python pickle/],
    ["a numpy file", bytesOf(0x93, "NUMPY", 1, 0), /looks like a saved numpy array/],
  ])("are told apart: %s", (_, bytes, sentence) => {
    expect(unpack(bytes).fault).toMatch(sentence);
  });

  it("are refused by their size before anything is read", () => {
    const limits = { maxBytes: 10, maxDepth: 4, maxValues: 10 };
    expect(unpack(new Uint8Array(11), limits).fault).toBe("it has 11 B, more than the 10 B that are read");
  });

  it("never make it throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        unpack(bytes);
      }),
      { numRuns: 2000 },
    );
  });
});

/** The packer writes whole numbers beyond 32 bits in 64, where they read as bigint. */
function makeComparable(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}`;
  if (typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) > 2 ** 31)
    return `${value}`;
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (Array.isArray(value)) return value.map(makeComparable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, makeComparable(item)]));
}
