import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import { Refusal } from "./refusal.ts";

interface InputPart {
  readonly schema: TSchema;
  /** `body`, `querystring` or `params`. */
  readonly httpPart?: string;
}

/** Makes the check of a part of a request. Nothing is converted but the integers of a query, which is text by nature. */
export function compileInputCheck({ schema, httpPart = "body" }: InputPart) {
  const check = TypeCompiler.Compile(schema);
  const place = httpPart === "querystring" ? "query" : httpPart === "params" ? "path" : "body";
  return (input: unknown) => {
    const value = place === "query" ? readIntegers(schema, input) : input;
    if (place !== "path" && hasNull(value))
      return { error: new Refusal(400, `${place}: a text holds a null character`) };
    if (check.Check(value)) return { value };
    return { error: new Refusal(400, describeFault(place, check.Errors(value).First())) };
  };
}

/** The database takes a text with one for what stands before it: two that differ would be one. */
function hasNull(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string" && next.includes("\0")) return true;
    if (typeof next === "object" && next !== null) open.push(...Object.values(next));
  }
  return false;
}

function readIntegers(schema: TSchema, query: unknown): Record<string, unknown> {
  const properties = schema["properties"] as Record<string, TSchema>;
  return Object.fromEntries(
    Object.entries(query as Record<string, unknown>).map(([key, value]) => {
      const isInteger = Object.hasOwn(properties, key) && properties[key]?.["type"] === "integer";
      return [key, isInteger && isWholeNumber(value) ? Number(value) : value];
    }),
  );
}

function isWholeNumber(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,15}$/.test(value);
}

function describeFault(place: string, fault: ValueError | undefined): string {
  const path = fault?.path.slice(1).replaceAll("/", ".") ?? "";
  return `${place}${path && `, ${path}`}: ${fault?.message ?? "not as it must be"}`;
}
