import { type Static, type TInteger, type TNumber, type TString, Type } from "@sinclair/typebox";

/** In replies: absent is null. As a list of types, which is written out faster than a union of schemas. */
export function orNull<Schema extends TString | TNumber | TInteger>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, "null"] });
}
