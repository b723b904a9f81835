/** What one look at a new instance showed. */
export interface LoadingSight {
  /** Seconds by a clock that does not jump. */
  readonly atS: number;
  /** The vendor's status, as in `VastInstance`. */
  readonly status: string;
  readonly message: string | null;
}

export interface LoadingLimits {
  /** So long without anything new. */
  readonly stillS: number;
  /** In all. */
  readonly mostS: number;
}

export interface LoadingVerdict {
  /** `wait`: look again; `stuck` and `failed`: nothing will come of it. */
  readonly verdict: "wait" | "stuck" | "failed";
  /** For people. */
  readonly reason: string;
  /** The same clock: when waiting ends unless something new is seen. */
  readonly untilS: number;
}

/** A boot takes a minute; after five without news people call it stuck. A large image takes twenty. */
const usualLoadingLimits: LoadingLimits = { stillS: 300, mostS: 25 * 60 };

/** In these the container does not come up any more by itself. */
const FINAL: ReadonlySet<string> = new Set(["exited", "offline", "stopped", "frozen"]);

/** Docker's and the vendor's words for a container that could not be made. */
const FAULT =
  /(?<![\w-])error(?![\w-]|s?: ?0\b)|failed to |manifest unknown|no space left|pull access denied|not found: manifest|unable to find image .* remotely/i;

/**
 * Whether a new instance still comes up, by all that was seen since it was made, oldest first. Anything that was not seen
 * before is progress: another status, another layer of the image or percentage of it. The same words again, or a count of
 * seconds until another try, are none. An instance that runs but does not answer is judged the same way.
 */
export function judgeLoading(
  sights: readonly LoadingSight[],
  limits: LoadingLimits = usualLoadingLimits,
): LoadingVerdict {
  const [first, last] = [sights[0], sights.at(-1)];
  if (!first || !last) return { verdict: "wait", reason: "nothing was seen yet", untilS: Infinity };
  const lastNewS = findLastNews(sights);
  const untilS = Math.min(lastNewS + limits.stillS, first.atS + limits.mostS);
  const words = describe(last);
  if (hasFailed(last)) return { verdict: "failed", reason: words, untilS: last.atS };
  if (last.atS < untilS) return { verdict: "wait", reason: words, untilS };
  const isOverall = last.atS >= first.atS + limits.mostS;
  const reason = isOverall
    ? `not ready after ${formatMinutes(limits.mostS)}: ${words}`
    : `nothing new for ${formatMinutes(limits.stillS)}: ${words}`;
  return { verdict: "stuck", reason, untilS };
}

/** When something was last seen that had not been seen before. */
function findLastNews(sights: readonly LoadingSight[]): number {
  const seen = new Set<string>();
  let lastNewS = sights[0]?.atS ?? 0;
  for (const { atS, status, message } of sights) {
    const key = `${status}\n${dropCountdowns(message ?? "")}`;
    if (!seen.has(key)) lastNewS = atS;
    seen.add(key);
  }
  return lastNewS;
}

function dropCountdowns(message: string): string {
  return message.trim().replace(/(retrying|waiting|try again) (in )?[\d.]+ ?s(econds?)?/gi, "$1");
}

/** What runs has got over its errors. */
function hasFailed({ status, message }: LoadingSight): boolean {
  return FINAL.has(status) || (status !== "running" && FAULT.test(message ?? ""));
}

function describe({ status, message }: LoadingSight): string {
  const words = message?.trim() ?? "";
  return words === "" ? status : `${status}: ${words}`;
}

function formatMinutes(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
