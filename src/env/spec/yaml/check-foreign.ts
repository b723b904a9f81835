const DATE =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.\d*)?(?:[ \t]*(?:Z|[-+](\d\d?)(?::(\d\d))?))?)?\n?$/;

/** Whether Python makes a date or time of the text. */
export function isPythonDate(text: string): boolean {
  const parts = DATE.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHours = 0, zoneMinutes = 0] =
    parts;
  // The last day of a month is the one before the next month's first; 2000 more keeps the leap years and avoids 19xx.
  const days = new Date(Date.UTC(year + 2000, month, 0)).getUTCDate();
  const isDay = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days;
  return isDay && hour < 24 && minute < 60 && second < 60 && zoneHours * 60 + zoneMinutes < 24 * 60;
}

/** Whether Python decodes the text from base64: it skips what belongs to no digit, and ends at the padding. */
export function isPythonBase64(text: string): boolean {
  let digits = 0;
  let pads = 0;
  if (![...text].every((char) => char <= "\x7f")) return false;
  for (const char of text) {
    if (/[A-Za-z0-9+/]/.test(char)) {
      digits = (digits + 1) % 4;
      pads = 0;
    } else if (char === "=" && digits >= 2) {
      pads += 1;
      if (digits + pads >= 4) return true;
    }
  }
  return digits === 0;
}
