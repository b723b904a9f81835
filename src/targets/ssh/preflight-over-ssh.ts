import { makeToken } from "../../base/ids.ts";
import type { Preflight, PreflightRequest } from "../target.ts";
import { askHost, type HostRunner } from "./ask-host.ts";
import { makePreflightScript, PREFLIGHT_MS } from "./preflight-script.ts";
import { readPreflight } from "./read-preflight.ts";

/** Asks a host all that a plan needs, in one command. */
export function preflightOverSsh(
  runner: HostRunner,
  request: PreflightRequest,
  { jobDir, freeMemoryMiB }: { jobDir: string | null; freeMemoryMiB: number },
): Promise<Preflight> {
  const tokens = {
    facts: makeToken(),
    environment: makeToken(),
    gpus: makeToken(),
    checkout: makeToken(),
    contract: makeToken(),
    wandb: makeToken(),
  };
  const askedS = Date.now() / 1000;
  return askHost(runner, {
    script: makePreflightScript(request, jobDir, tokens),
    timeoutMs: PREFLIGHT_MS,
    read: (stdout) =>
      readPreflight(stdout, {
        ...{ request, tokens, freeMemoryMiB, askedS },
        ...{ host: runner.host, answeredS: Date.now() / 1000 },
      }),
  });
}
