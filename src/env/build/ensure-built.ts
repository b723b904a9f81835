import { systemClock } from "../../base/clock.ts";
import { makeToken } from "../../base/ids.ts";
import type { EnvHost } from "../env-host.ts";
import { explainBuildEnd } from "./build-fault.ts";
import type { BuildRequest } from "./build-script.ts";
import type { ReadyEnvironment } from "./environment-status.ts";
import { type BuildEnd, type FollowOptions, followBuild } from "./follow-build.ts";

/** So many others may leave a build that is waited for. */
const MOST_OTHERS = 5;

/**
 * The environment of a request, ready on its host: as it is there, or built now. The build goes on by itself on the host
 * whatever becomes of the connection; asked for again, it is followed. Of several callers one builds, the others follow.
 *
 * With the `signal`, a build that this caller has started is ended and what it has made removed.
 *
 * @throws environment_build_failed, environment_unbuildable, interrupted, environment_silent, and what keeps the host from answering
 */
export async function ensureBuilt(
  host: EnvHost,
  request: BuildRequest,
  { clock = systemClock, ...options }: Partial<FollowOptions> = {},
): Promise<ReadyEnvironment> {
  const word = makeToken();
  const follow = (left: string | null) => followBuild(host, request, { word, left }, { ...options, clock });
  let end = await follow(null);
  for (let others = 0; isLeftByAnother(end) && others < MOST_OTHERS; others++) {
    end = await follow(end.look.build);
  }
  if (end.look.state === "ready" && end.look.ready !== null) return end.look.ready;
  throw explainBuildEnd(host, request, end);
}

/** Another's build that was called off or killed says nothing about the environment. */
function isLeftByAnother({ look }: BuildEnd): boolean {
  return !look.isOurs && (look.state === "killed" || look.values["reason"] === "stopped");
}
