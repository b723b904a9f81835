import type { FastifyRequest } from "fastify";
import type { Store } from "../../store/store.ts";
import { type Login, readLoginToken } from "../accounts/login-token.ts";
import { findUser, type User } from "../records/users.ts";
import type { ApiHost } from "./api-host.ts";
import type { ApiServer } from "./api-server.ts";
import { Refusal } from "./refusal.ts";

const CALLER = "caller";

/** What a route that wants a login adds to its schema, for the OpenAPI document. */
export const loginSecurity = [{ login: [] }];

/** Makes the hook that lets only logged-in users pass, before anything of the body is read. Called once a server. */
export function makeLoginGate(
  app: ApiServer,
  { records, signingKey, clock }: Pick<ApiHost, "records" | "signingKey" | "clock">,
) {
  app.decorateRequest(CALLER);
  return async (request: FastifyRequest): Promise<void> => {
    const token = readBearer(request);
    if (token === undefined) throw new Refusal(401, "log in: there is no Authorization: Bearer TOKEN");
    const login = await readLoginToken(signingKey, token, clock.now());
    if (login === undefined) throw new Refusal(401, "log in: the token is none of this gateway");
    if (login.expiredForMs > 0) throw new Refusal(401, "log in again: the token has expired");
    request.setDecorator(CALLER, findCaller(records, login));
  };
}

export type LoginGate = ReturnType<typeof makeLoginGate>;

/** Who calls, behind the gate. */
export function getCaller(request: FastifyRequest): User {
  return request.getDecorator<User>(CALLER);
}

/**
 * Who calls as the database has it now: between the gate and the end of a slow body, a user may be deleted or get other
 * limits. @throws Refusal 401
 */
export function rereadCaller(records: Store, request: FastifyRequest): User {
  const { id, passwordAge } = getCaller(request);
  return findCaller(records, { userId: id, passwordAge });
}

function findCaller(records: Store, login: Pick<Login, "userId" | "passwordAge">): User {
  const user = findUser(records, login.userId);
  if (user === undefined) throw new Refusal(401, "log in: there is no such user any more");
  if (user.passwordAge !== login.passwordAge)
    throw new Refusal(401, "log in again: the password was changed");
  return user;
}

/** The token of the Authorization header; undefined: it has none. */
export function readBearer({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
}
