import { relative } from "node:path";
import { makePrintable } from "../base/printable.ts";
import { wrapText } from "../base/wrap.ts";
import { formatIssue } from "./issue.ts";
import type { Config } from "./load-config.ts";
import { listMissing } from "./missing.ts";
import type { Target } from "./target.ts";

const NARROWEST = 30;

/** The table of `sortie targets` for people: plain text, no wider than `columns` where its first values leave room. */
export function formatTargets(config: Config, columns: number): string {
  const parts = [
    config.targets.length === 0 ? describeNone(config) : formatTable(config, columns),
    formatDefaults(config),
    formatIssues("Errors (they stop a launch)", config.errors.map(formatIssue), columns),
    formatIssues("Warnings", config.warnings.map(formatIssue), columns),
  ];
  return makePrintable(parts.filter((part) => part !== "").join("\n\n"));
}

function describeNone(config: Config): string {
  return [
    `No target section was found from ${config.cwd} upward, in AGENTS.md or CLAUDE.md.`,
    "Write one with `sortie init`, or run on this machine with `--target local`.",
  ].join("\n");
}

function formatTable(config: Config, columns: number): string {
  const wide = layTable(config, columns, false);
  const isTooWide = wide.some((line) => line.length > columns);
  return (isTooWide ? layTable(config, columns, true) : wide).join("\n");
}

/** @param isFolderBelow the folder stands in a line of its own, below its host */
function layTable(config: Config, columns: number, isFolderBelow: boolean): string[] {
  const rows = config.targets.map((target) => [
    target.name,
    target.kind,
    isFolderBelow ? describeHost(target) : [describeHost(target), target.codeDir].filter(Boolean).join(" "),
    `${relative(config.cwd, target.source.file ?? "")}:${target.lines[0]}-${target.lines[1]}`,
    listMissing(config, target)
      .map(({ key, why }) => `${key} (${why})`)
      .join(", ") || "-",
  ]);
  const table = [["target", "kind", "where", "from", "missing"], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...table.map((row) => (row[column] as string).length)),
  );
  const [name = 0, kind = 0] = widths;
  return table.flatMap((row, line) => {
    const before = widths.map((width, column) => `${(row[column] as string).padEnd(width)}  `).join("");
    const width = Math.max(columns, before.length + NARROWEST);
    const folder = isFolderBelow ? config.targets[line - 1]?.codeDir : undefined;
    return [
      ...wrapText(row[4] as string, width, " ".repeat(before.length), before),
      ...(folder === undefined ? [] : [`${" ".repeat(name + kind + 4)}${folder}`]),
    ];
  });
}

/** The one thing about a target that tells a person which place is meant. */
function describeHost(target: Target): string {
  if (target.kind === "modal") return target.modal?.app ?? "Modal";
  if (target.kind === "vast" && target.vast?.instance != null) return `instance ${target.vast.instance}`;
  if (target.ssh) {
    const { user, destination, port } = target.ssh;
    return `${user === null ? "" : `${user}@`}${destination}${port === null ? "" : ` port ${port}`}`;
  }
  if (target.kind === "vast") return "an instance to rent";
  return target.kind === "ssh" ? "?" : "this machine";
}

function formatDefaults(config: Config): string {
  const lines = [...config.defaults].map(
    ([name, { value, line }]) =>
      `  ${name}: ${Array.isArray(value) ? value.join(", ") : value}  (line ${line})`,
  );
  return formatList("For the whole file:", lines);
}

function formatIssues(title: string, lines: readonly string[], columns: number): string {
  return formatList(
    `${title}:`,
    lines.flatMap((line) => wrapText(line, columns, "    ", "  ")),
  );
}

function formatList(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [title, ...lines].join("\n");
}
