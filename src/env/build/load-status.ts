import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import type { EnvHost } from "../env-host.ts";
import type { EnvironmentStatus } from "./environment-status.ts";
import { makeStatusScript, readStatus, type StatusRequest } from "./status.ts";

const TIMEOUT_MS = 60_000;

/** What a host has of an environment now. @throws environment_silent, and what keeps the host from answering */
export async function loadStatus(
  host: EnvHost,
  request: Omit<StatusRequest, "token">,
): Promise<EnvironmentStatus> {
  const token = makeToken();
  const script = makeStatusScript({ ...request, token });
  const outcome = await host.runScript(script, { timeoutMs: TIMEOUT_MS });
  const status = readStatus(outcome.stdout, token);
  if (status) return status;
  const reason = outcome.timedOut ? "its time was over" : "what it has of the environment was not told";
  throw new SortieError("environment_silent", { host: host.name, reason });
}
