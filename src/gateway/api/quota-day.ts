/**
 * The day on which a submission counts, `2026-11-29`, in a time zone: an IANA name or an offset, `+08:00`. It is stored with
 * the job, so that a clock that is set back over midnight gives nobody a second count for the same job.
 */
export function findQuotaDay(now: Date, timeZone: string): string {
  const offset = /^([+-])(\d{2}):(\d{2})$/.exec(timeZone);
  return offset === null ? findDayOfZone(now, timeZone) : findDayOfOffset(now, offset);
}

/** By hand: Node.js 20 knows no zones that are offsets. */
function findDayOfOffset(now: Date, [, sign, hours, minutes]: RegExpExecArray): string {
  const offsetMinutes = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return new Date(now.getTime() + offsetMinutes * 60_000).toISOString().slice(0, 10);
}

function findDayOfZone(now: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
    ...{ timeZone, year: "numeric", month: "2-digit", day: "2-digit" },
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${parts["year"]}-${parts["month"]}-${parts["day"]}`;
}
