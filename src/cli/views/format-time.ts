/** For people: `2026-11-29 15:20 (3 min ago)`, in the time of this machine. */
export function formatMoment(iso: string, now: Date): string {
  const time = new Date(iso);
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(pad).join("-");
  return `${day} ${pad(time.getHours())}:${pad(time.getMinutes())} (${formatAge(iso, now)})`;
}

/** `42 s ago`, `3 min ago`, `2 h ago`, `5 d ago`. */
export function formatAge(iso: string, now: Date): string {
  return `${formatSpan(iso, now)} ago`;
}

/** How long ago that is: `42 s`, `3 min`, `2 h`, `5 d`. */
export function formatSpan(iso: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(iso)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
