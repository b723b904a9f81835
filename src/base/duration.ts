import { SortieError } from "./error.ts";

const SECONDS_PER: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds in `90`, `90s`, `15m`, `1h30m`, `2d`; `what` names the setting in the error. */
export function parseDuration(text: string, what: string): number {
  const trimmed = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (!/^(\d+(\.\d+)?[smhd])+$/.test(trimmed)) {
    throw new SortieError("value_bad", {
      what,
      value: text,
      reason: "it is not a duration",
      advice: "Write seconds, or a number with s, m, h or d: 90s, 15m, 1h30m.",
    });
  }
  let seconds = 0;
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)([smhd])/g)) {
    seconds += Number(amount) * (SECONDS_PER[unit as string] as number);
  }
  return seconds;
}

/** `42 s`, `3 min 20 s`, `2 h 05 min`, `3 d 4 h`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pad(whole % 60)} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${pad(Math.floor((whole % 3600) / 60))} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
