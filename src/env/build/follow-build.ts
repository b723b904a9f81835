import type { Clock } from "../../base/clock.ts";
import { SortieError } from "../../base/error.ts";
import type { EnvHost } from "../env-host.ts";
import { BuildLog, type StepReached } from "./build-log.ts";
import type { BuildRequest, LookSettings } from "./build-script.ts";
import { lookAtBuild, stopBuild } from "./look-at-build.ts";
import type { Look } from "./read-look.ts";

/** News of a build, as its log grows. */
export interface BuildProgress {
  /** The number of the build. */
  readonly build: string;
  /** The path of its log on the host. */
  readonly log: string;
  /** false: another has started it, and it is waited for. */
  readonly isOurs: boolean;
  /** null: not known yet. */
  readonly step: StepReached | null;
  /** Whole lines that are new, without their ends. */
  readonly lines: readonly string[];
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined;
  /** Calls the build off if this caller has started it; another's goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** How a build ended, with the end of its log. */
export interface BuildEnd {
  readonly look: Look;
  readonly step: StepReached | null;
  readonly tail: readonly string[];
}

const FOLLOW_MS = 3000;

/**
 * Joins the build of an environment or starts one, and follows it to its end.
 * @throws interrupted, and what keeps the host from answering: then the build goes on
 */
export async function followBuild(
  host: EnvHost,
  request: BuildRequest,
  { word, left }: Pick<LookSettings, "word" | "left">,
  options: FollowOptions,
): Promise<BuildEnd> {
  if (options.signal?.aborted) throw new SortieError("interrupted");
  const log = new BuildLog();
  const lookOn = (build: string | null) => {
    const settings = { word, left, build, fromByte: log.bytes, followMs: build === null ? 0 : FOLLOW_MS };
    return lookAtBuild(host, request, settings, options);
  };
  let isOurs = true; // until it is known
  for (let look = await lookOn(null); look !== null; look = await lookOn(look.build)) {
    isOurs = look.isOurs;
    const isOver = look.state !== "building" && !look.hasMore;
    const lines = log.add(look.output, isOver);
    if (look.build !== null && look.log !== null) {
      options.onProgress?.({ build: look.build, log: look.log, isOurs, step: log.step, lines });
    }
    if (isOver) return { look, step: log.step, tail: log.tail };
  }
  if (isOurs) await stopBuild(host, request, word);
  throw new SortieError("interrupted");
}
