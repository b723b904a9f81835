import type { HealthProbe } from "../operations/health.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";

/** A gateway writes each second. */
const LATE_MS = 5_000;
const GONE_MS = 30_000;

/**
 * Whether the database is in its place and whole, can be read, and took what was written last. It asks for no lock: who asks
 * for health must not hold up those who play.
 */
export function probeRecords({
  records,
  clock,
  pulse,
}: Pick<ChallengeDesk, "records" | "clock" | "pulse">): HealthProbe {
  return () => {
    if (pulse.misplaced !== undefined) return { status: "failing", why: pulse.misplaced };
    if (records.damage !== undefined) return { status: "failing", why: "the database is damaged" };
    records.find("SELECT 1 FROM settings");
    const agoMs = clock.monotonicMs() - pulse.wroteAtMs;
    if (agoMs < LATE_MS) return { status: "ok" };
    const why = `nothing could be written for ${Math.round(agoMs / 1000)} s`;
    return { status: agoMs < GONE_MS ? "degraded" : "failing", why };
  };
}
