import { formatDollars } from "../../base/dollars.ts";
import { makePrintable } from "../../base/printable.ts";
import { wrapText } from "../../base/wrap.ts";
import type { Search } from "../../supervise/rent/search-offers.ts";
import { type Column, formatTable } from "./format-table.ts";

const MOST_ROWS = 20;

type Ranked = Search["fitting"][number];

/** Offers side by side, cheapest first, with the three that stand out marked as such. */
export function formatOffers(search: Search, width: number): string[] {
  const { fitting, unfit, needs, hints } = search;
  const columns: readonly Column<Ranked>[] = [
    { heading: "OFFER", show: ({ offer }) => String(offer.id), isNumber: true },
    { heading: "GPUS", show: ({ offer }) => `${offer.gpuCount} × ${offer.gpuName}` },
    { heading: "MIB", show: ({ offer }) => String(offer.gpuMemoryMiB), isNumber: true, spare: 2 },
    { heading: "$/H", show: ({ offer }) => formatDollars(offer.dollarsPerHour), isNumber: true },
    {
      heading: "TOTAL",
      show: ({ totalDollars }) => (totalDollars === null ? "" : formatDollars(totalDollars)),
      isNumber: true,
      spare: 1,
    },
    {
      heading: "RELIABLE",
      show: ({ offer }) => (offer.reliability === null ? "?" : `${(offer.reliability * 100).toFixed(1)}%`),
      isNumber: true,
    },
    { heading: "WHERE", show: ({ offer }) => offer.country ?? "?", spare: 1 },
    { heading: "", show: (row) => describeRank(search, row) },
  ];
  const shown = fitting.slice(0, MOST_ROWS);
  const more = fitting.length - shown.length;
  return [
    ...wrapText(makePrintable(`Looked for: ${needs}`), width, "  ", ""),
    ...hints.flatMap(({ need, value, line, why }) =>
      wrapText(
        makePrintable(`A guess, not looked for: ${need} ${value} (line ${line}: ${why})`),
        width,
        "  ",
        "",
      ),
    ),
    ...(shown.length === 0 ? ["Nothing that fits is to be had."] : formatTable(shown, columns, width)),
    ...(search.others === null ? [] : wrapText(makePrintable(search.others), width)),
    ...(more > 0 ? [`… and ${more} more`] : []),
    ...(shown.length === 0
      ? unfit
          .slice(0, 3)
          .map(({ offer, reason }) => makePrintable(`  offer ${offer.id} does not fit: ${reason}`))
      : []),
  ];
}

function describeRank({ cheapest, bestValue, fastest }: Search, row: Ranked): string {
  const words = [
    row.offer.id === cheapest?.offer.id && "cheapest",
    row.offer.id === bestValue?.offer.id && "best value",
    row.offer.id === fastest?.offer.id && "fastest",
  ].filter((word) => word !== false);
  return [words.join(", "), ...row.cautions].filter((part) => part !== "").join("; ");
}
