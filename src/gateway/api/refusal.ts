import { Type } from "@sinclair/typebox";

/** A request that is refused: thrown anywhere below a route, answered in the one shape that the platform has for it. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly statusCode: RefusalStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: RefusalStatus, text: string, headers: Readonly<Record<string, string>> = {}) {
    super(text);
    this.statusCode = statusCode;
    this.headers = headers;
  }
}

const meanings = {
  400: "The request is not as it must be; the text says what and where.",
  401: "The login token is missing, wrong, expired or void.",
  403: "The link is not ours or has expired.",
  404: "There is no such thing, or it is somebody else's.",
  405: "The method is not allowed here.",
  409: "The case does not take this score now.",
  413: "The body is too large.",
  415: "The body is not JSON.",
  429: "Too many tries; Retry-After says in how many seconds the next one may be made.",
  500: "As on the platform, also for what cannot be told.",
  503: "The gateway cannot do this now, as it cannot use its database or has too much to do; Retry-After says in how many seconds it may be asked again.",
} as const;

export type RefusalStatus = keyof typeof meanings;

/** PROTOCOL 1.2. */
export function makeErrorReply(text: string): { status: "error"; error: string } {
  return { status: "error", error: text };
}

/** The schemas of the refusals that a route knows. */
export function describeRefusals<const Statuses extends readonly RefusalStatus[]>(
  ...statuses: Statuses
): Readonly<Record<Statuses[number], ReturnType<typeof describeRefusal>>> {
  const schemas = statuses.map((status) => [status, describeRefusal(status)]);
  return Object.fromEntries(schemas) as Record<Statuses[number], ReturnType<typeof describeRefusal>>;
}

function describeRefusal(status: RefusalStatus) {
  return Type.Object(
    { status: Type.Literal("error"), error: Type.String() },
    { description: meanings[status] },
  );
}
