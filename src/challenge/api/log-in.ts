import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { isJwt } from "../token-shape.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { readRow } from "./reply-shape.ts";
import type { ApiSession } from "./session.ts";

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Default: `post`. With `get` the password stands in the address, and so in the logs of whatever is on the way. */
  readonly method?: "post" | "get";
}

/**
 * Logs in and answers the login token, whose shape is checked; the session uses it from now on. It is not saved.
 * @throws SortieError `challenge_login_refused`
 */
export async function logIn(
  session: ApiSession,
  { email, password, method = "post" }: Credentials,
): Promise<string> {
  const body = { email: email.trim(), password };
  const read = (reply: unknown) => readReply(reply, password);
  const options = { read, anonymous: true, secrets: [password] };
  const refuse = (reason: string) =>
    new SortieError("challenge_login_refused", { url: session.baseUrl, reason });
  try {
    const reply = await (method === "get"
      ? session.get("login", { ...options, query: body })
      : session.post("login", body, { ...options, repeatable: true }));
    if (!isJwt(reply.token)) throw refuse(reply.fault);
    session.useToken(reply.token);
    return reply.token;
  } catch (thrown) {
    if (!(thrown instanceof SortieError) || thrown.code !== "challenge_refused") throw thrown;
    throw refuse(`${thrown.details["status"]}, ${thrown.details["text"]}`);
  }
}

/** A refusal may come with 200. */
function readReply(body: unknown, password: string): { token: string; fault: string } {
  const { token, status, error } = readRow(body);
  const words = typeof error === "string" ? hideSecrets(error, [password]).slice(0, 200) : "";
  const said = words === "" ? "" : `: ${makePrintable(words)}`;
  if (status !== undefined && status !== "ok") return { token: "", fault: `it did not say ok${said}` };
  const text = typeof token === "string" ? token.trim() : "";
  return {
    token: text,
    fault: `what it gave is no login token, which has three parts with dots between${said}`,
  };
}
