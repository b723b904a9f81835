import { SortieError } from "./error.ts";

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** `812 B`, `1.4 MB`: decimal units, as disks are sold. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Bytes in `500`, `500MB`, `1.5 GB` (decimal) and `10GiB` (binary); `what` names the setting in the error. */
export function parseBytes(text: string, what: string): number {
  const [, amount, prefix = "", binary] = /^(\d+(?:\.\d+)?) ?(?:([kmgtp]?)(i?)b)?$/i.exec(text.trim()) ?? [];
  if (amount === undefined || (prefix === "" && binary))
    throw new SortieError("value_bad", {
      ...{ what, value: text, reason: "it is not a size" },
      advice: "Write bytes, or a number with kB, MB, GB or TB: 500MB, 10GB.",
    });
  const power = ["", "k", "m", "g", "t", "p"].indexOf(prefix.toLowerCase());
  return Math.round(Number(amount) * (binary ? 1024 : 1000) ** power);
}
