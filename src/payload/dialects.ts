import { makeBytesKeyName } from "./key-names.ts";
import { isExt, isMap } from "./unpack.ts";

/** Ways in which people put more into msgpack than it has types for. What has no such mark is plain. */
export type Dialect = "openpi" | "msgpack-numpy" | "gr00t" | "vla-eval" | "ext";

export interface DialectTrace {
  readonly dialect: Dialect;
  /** What was sent and what to do, as the end of a sentence about the place where it lies. */
  readonly says: string;
}

interface DialectRow extends DialectTrace {
  /** The property that marks a map of this dialect. */
  readonly mark: string;
}

const toList = "call .tolist() on it before packing";

const dialectTable: readonly DialectRow[] = [
  {
    dialect: "openpi",
    mark: makeBytesKeyName("__ndarray__"),
    says: `is a numpy array in openpi's form: ${toList}`,
  },
  {
    dialect: "openpi",
    mark: makeBytesKeyName("__npgeneric__"),
    says: "is a single numpy number in openpi's form: call .item() on it before packing",
  },
  {
    dialect: "msgpack-numpy",
    mark: makeBytesKeyName("nd"),
    says: `is a numpy array in msgpack-numpy's form: ${toList}, and leave out its patch()`,
  },
  {
    dialect: "gr00t",
    mark: "__ndarray_class__",
    says: `is a numpy array in GR00T's form: ${toList}`,
  },
  {
    dialect: "vla-eval",
    mark: "__ndarray__",
    says: `is a numpy array in vla-eval's form: ${toList}`,
  },
];

/** The dialect that this very value is written in, what is inside it left aside; undefined when it is plain. */
export function findDialect(value: unknown): DialectTrace | undefined {
  if (isExt(value)) return { dialect: "ext", says: describeExt(value.type) };
  if (!isMap(value)) return undefined;
  return dialectTable.find(({ mark }) => Object.hasOwn(value, mark));
}

function describeExt(type: number): string {
  if (type === -1) return "is a msgpack timestamp: send a number instead";
  return `is a msgpack ext value of type ${type}, which only your own decoder reads: send lists of numbers instead`;
}
