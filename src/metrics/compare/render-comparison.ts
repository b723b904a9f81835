import { makePrintable } from "../../base/printable.ts";
import { encodeNumber } from "../encode-number.ts";
import type { Comparison, ComparisonRow } from "./compare-runs.ts";
import { makeComparisonTable } from "./comparison-table.ts";

/** As a table of GitHub's Markdown; the differences are a list below it. */
export function renderMarkdown(comparison: Comparison): string {
  const { columns, rows } = makeComparisonTable(comparison);
  const lines = [
    columns.map(({ title }) => title),
    columns.map(({ align }) => (align === "right" ? "---:" : "---")),
    ...rows.map((row) => row.map(escapeMarkdown)),
  ];
  const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const differences = describeDifferences(comparison).map((line) => `- ${escapeMarkdown(line)}`);
  return `${[table, ...(differences.length > 0 ? ["", ...differences] : [])].join("\n")}\n`;
}

/** As CSV (RFC 4180): a row a metric and experiment, whole numbers, empty where there is none. */
export function renderCsv({ rows }: Comparison): string {
  const header = [
    "experiment",
    "metric",
    "value",
    "deviation",
    "count",
    "delta",
    "delta_share",
    "status",
    "flags",
  ];
  const lines = rows.map((row) => [
    ...[
      row.experiment,
      row.metric,
      row.value,
      row.deviation,
      row.count,
      row.delta,
      row.deltaShare,
      row.status,
    ],
    row.flags.map(({ kind }) => kind).join(" "),
  ]);
  return [header, ...lines].map((cells) => `${cells.map(quoteCell).join(",")}\r\n`).join("");
}

/** As one JSON document; NaN and infinities are texts of these names. */
export function renderJson({ baseline, valueKind, rows, differences }: Comparison): string {
  return `${JSON.stringify({ schema: 1, baseline, value: valueKind, rows: rows.map(encodeRow), differences })}\n`;
}

/** `lr0.1: lr 0.01 → 0.1; code differs`, a line an experiment that differs. */
export function describeDifferences({ differences }: Comparison): string[] {
  return differences.map(({ experiment, parameters, code }) => {
    const changes = parameters.map(
      ({ name, baseline, value }) => `${name} ${baseline ?? "(not set)"} → ${value ?? "(not set)"}`,
    );
    const codeText = {
      same: [],
      differs: ["the code differs"],
      unknown: ["whether the code differs is not known"],
    };
    const told = [...changes, ...codeText[code]];
    return `${experiment}: ${told.length === 0 ? "no difference" : told.join("; ")}`;
  });
}

function encodeRow(row: ComparisonRow) {
  const encode = (value: number | null) => (value === null ? null : encodeNumber(value));
  const { value, deviation, delta, deltaShare } = row;
  return {
    ...row,
    ...{
      value: encode(value),
      deviation: encode(deviation),
      delta: encode(delta),
      deltaShare: encode(deltaShare),
    },
  };
}

function escapeMarkdown(text: string): string {
  return makePrintable(text)
    .replace(/[\\|`*<>[\]&]|(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])/g, "\\$&")
    .replace(/[\n\t]/g, " ");
}

function quoteCell(cell: string | number | null): string {
  const text = makePrintable(String(cell ?? ""));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
