/** Says whether a value from outside is what it must be. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";
export const isNumber: Check = (value) => typeof value === "number";
export const isFlag: Check = (value) => typeof value === "boolean";
export const isTextList: Check = isListOf(isText);

export function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

export function isOrNull(check: Check): Check {
  return (value) => value === null || check(value);
}

/** For a key that may be missing. */
export function isOrAbsent(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function isOneOf(...allowed: readonly unknown[]): Check {
  return (value) => allowed.includes(value);
}

/** An object whose keys each pass their check; more keys than these may be there. */
export function isShape<Shape>(
  checks: { readonly [Key in keyof Shape]-?: Check },
): (value: unknown) => value is Shape {
  return (value): value is Shape =>
    isObject(value) && Object.entries<Check>(checks).every(([key, check]) => check(value[key]));
}

/** An object whose values all pass, whatever its keys are. */
export function isEachValue<Value>(check: Check): (value: unknown) => value is Record<string, Value> {
  return (value): value is Record<string, Value> => isObject(value) && Object.values(value).every(check);
}

/** The JSON text as what it must be; null where it is no JSON, or something else. */
export function parseJson<Shape>(text: string, isMeant: (value: unknown) => value is Shape): Shape | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMeant(value) ? value : null;
  } catch {
    return null; // half written, or no JSON at all
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
