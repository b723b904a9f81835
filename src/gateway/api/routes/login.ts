import { type Static, Type } from "@sinclair/typebox";
import type { FastifyRequest } from "fastify";
import { isRefreshable, makeLoginToken, readLoginToken } from "../../accounts/login-token.ts";
import { isPasswordOf } from "../../accounts/password.ts";
import { findUser, findUserByEmail } from "../../records/users.ts";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { loginSecurity, readBearer } from "../login-gate.ts";
import { type LoginLimits, makeLoginLimits } from "../login-limits.ts";
import { orNull } from "../or-null.ts";
import { describeRefusals, Refusal } from "../refusal.ts";

export const LOGIN_PATH = "/api/challenge/login";
const Credentials = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
});
const Token = Type.Object({ status: Type.Literal("ok"), token: Type.String({ description: "A JWT." }) });

export function addLoginRoutes(app: ApiServer, host: ApiHost): void {
  const { loginsPerMinute, flags } = host.config;
  const limits = makeLoginLimits(app, loginsPerMinute);
  if (flags.loginMethods.includes("post-json")) addPost(app, host, limits);
  if (flags.loginMethods.includes("get")) addGet(app, host, limits);
  addRefresh(app, host);
}

function addPost(app: ApiServer, host: ApiHost, limits: LoginLimits): void {
  // Its own corner of the server: nowhere else is a form known as such.
  app.register(async (corner: ApiServer) => {
    corner.addContentTypeParser("application/x-www-form-urlencoded", async () => {
      throw new Refusal(400, "a login is JSON, {email, password}, and not a form");
    });
    const schema = {
      summary: "Logs in.",
      body: Credentials,
      response: { 200: Token, ...describeRefusals(400, 401, 413, 415, 429) },
    };
    corner.post(LOGIN_PATH, { schema, onRequest: limits.countAddress }, (request) =>
      logIn(host, limits, request, request.body),
    );
  });
}

/** As the first documents have it. The password stands in the address, which this gateway logs nowhere. */
function addGet(app: ApiServer, host: ApiHost, limits: LoginLimits): void {
  const schema = {
    summary: "Logs in, as the first documents have it.",
    querystring: Credentials,
    response: { 200: Token, ...describeRefusals(400, 401, 429) },
  };
  app.get(LOGIN_PATH, { schema, onRequest: limits.countAddress }, (request) =>
    logIn(host, limits, request, request.query),
  );
}

/** One text for an unknown user and a wrong password: it tells nobody who has an account. */
async function logIn(
  { records, signingKey, clock }: ApiHost,
  limits: LoginLimits,
  request: FastifyRequest,
  { email, password }: Static<typeof Credentials>,
): Promise<Static<typeof Token>> {
  await limits.countAccount(request, email);
  const user = findUserByEmail(records, email);
  const isRight = await isPasswordOf(user?.passwordHash, password);
  if (user === undefined || !isRight) throw new Refusal(401, "user not found or wrong password");
  limits.noteSuccess(request, email);
  return { status: "ok", token: await makeLoginToken(signingKey, user, clock.now()) };
}

function addRefresh(app: ApiServer, { records, signingKey, clock }: ApiHost): void {
  const schema = {
    summary: "A new token for one that is good or expired less than seven days ago; null for any other.",
    security: loginSecurity,
    response: { 200: Type.Object({ token: orNull(Type.String()) }) },
  };
  app.get(`${LOGIN_PATH}/refresh`, { schema }, async (request) => {
    const now = clock.now();
    const old = readBearer(request);
    const login = old === undefined ? undefined : await readLoginToken(signingKey, old, now);
    if (login === undefined || !isRefreshable(login)) return { token: null };
    const user = findUser(records, login.userId);
    if (user?.passwordAge !== login.passwordAge) return { token: null };
    return { token: await makeLoginToken(signingKey, user, now) };
  });
}
