import { SortieError } from "../../base/error.ts";
import { showUrl } from "../../base/show-url.ts";
import { findBaseUrl } from "../../challenge/base-url.ts";
import { refreshLogin } from "../../challenge/refresh-login.ts";
import type { AgentLogLine, AgentOptions } from "../../tunnel/agent-options.ts";
import type { Secrets } from "../../tunnel/secrets.ts";
import type { FrameHandler } from "../../wire/handler.ts";
import type { Environment } from "../desk.ts";
import type { AgentWish, CheckedWish } from "./agent-wish.ts";

type OnLog = (line: AgentLogLine) => void;

/** What the tunnel is started with. */
export function makeAgentOptions(
  wish: AgentWish,
  checked: CheckedWish,
  handler: FrameHandler,
  { env, onLog, secrets }: { env: Environment; onLog: OnLog; secrets: Secrets },
): AgentOptions {
  const { jobUuid, agentId, token, endpoint, proxy } = checked;
  return {
    ...{ gatewayUrl: endpoint.url, jobUuid, agentId, token: token.token, handler, onLog },
    mayBeTaken: wish.agentId !== undefined,
    refreshToken: makeRefresh(checked, { env, onLog, secrets }),
    payload: wish.payload,
    validate: wish.validate,
    strictFrames: wish.strictFrames,
    onFault: wish.onFault,
    onStall: wish.onStall,
    proxyUrl: proxy.url,
    timers: wish.drainTimeoutMs === undefined ? {} : { drainMs: wish.drainTimeoutMs },
  };
}

/** A job's token never expires: a gateway that refuses it will refuse it again. What is made rejects with `login_away`. */
function makeRefresh(
  { token, endpoint, state }: CheckedWish,
  { env, onLog, secrets }: { env: Environment; onLog: OnLog; secrets: Secrets },
) {
  const baseUrl = token.kind === "login" ? findBaseUrl(env, state, endpoint.url) : null;
  if (baseUrl === null) return undefined;
  return async () => {
    const refreshed = await refreshLogin(baseUrl, token.token);
    if (refreshed.token === undefined) {
      if (refreshed.isPassing) throw new SortieError("login_away", { reason: refreshed.fault });
      onLog({ level: "warn", text: `the login token was not refreshed: ${refreshed.fault}` });
      return undefined;
    }
    secrets.hide(refreshed.token);
    onLog({ level: "info", text: `${showUrl(baseUrl)} refreshed the login token` });
    return refreshed.token;
  };
}
