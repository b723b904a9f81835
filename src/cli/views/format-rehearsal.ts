import { wrapText } from "../../base/wrap.ts";
import type { Check, CheckGroup } from "../../supervise/rehearse/check-row.ts";
import type { RehearsalDocument } from "../../supervise/rehearse/make-document.ts";

const headings: Readonly<Record<CheckGroup, string>> = {
  start: "Start and warm-up",
  reply: "Answers",
  sessions: "Sessions and frames",
  link: "Link and cuts",
  drain: "Drain and end",
  speed: "Speed and memory",
};

/** No line is longer, however wide the terminal is: long lines are hard to read. */
const WIDEST = 120;
const GAP = "  ";

/** What a rehearsal came to: a table of checks by subject, and a summary with the next step. */
export function formatRehearsal(rehearsal: RehearsalDocument, columns: number): string[] {
  const width = Math.min(columns, WIDEST);
  const nameWidth = Math.max(...rehearsal.checks.map(({ name }) => name.length));
  const groups = Object.keys(headings) as CheckGroup[];
  const tables = groups.flatMap((group) => {
    const checks = rehearsal.checks.filter((check) => check.group === group);
    return ["", headings[group], ...formatGroup(checks, nameWidth, width)];
  });
  return [...tables, "", ...formatSummary(rehearsal, width)];
}

/** What failed first, with what to do; then what was seen, what just holds, and what was not looked at. */
function formatGroup(checks: readonly Check[], nameWidth: number, width: number): string[] {
  if (checks.every(({ ok }) => ok === null)) return [`  – none of these ${checks.length} was looked at`];
  const failed = checks.filter(({ ok }) => ok === false);
  const told = checks.filter(({ ok, detail }) => ok === true && detail !== "");
  const plain = checks.filter(({ ok, detail }) => ok === true && detail === "");
  return [
    ...failed.flatMap((check) => formatFailed(check, nameWidth, width)),
    ...told.flatMap((check) => formatLine("✓", check.name, check.detail, nameWidth, width)),
    ...formatGrid(plain, nameWidth, width),
    ...formatSkipped(checks, width),
  ];
}

function formatFailed(check: Check, nameWidth: number, width: number): string[] {
  const mark = check.level === "hard" ? "✗" : "!";
  const lines = formatLine(mark, check.name, check.detail, nameWidth, width);
  const indent = " ".repeat(nameWidth + 6);
  return check.advice === null ? lines : [...lines, ...wrapText(check.advice, width, indent)];
}

function formatLine(mark: string, name: string, text: string, nameWidth: number, width: number): string[] {
  return wrapText(text, width, " ".repeat(nameWidth + 6), `  ${mark} ${name.padEnd(nameWidth)}  `);
}

/** Names alone, as many beside each other as fit. */
function formatGrid(checks: readonly Check[], nameWidth: number, width: number): string[] {
  const cells = checks.map(({ name }) => `✓ ${name.padEnd(nameWidth)}`);
  const perLine = Math.max(1, Math.floor((width - GAP.length) / (nameWidth + 2 + GAP.length)));
  const lines: string[] = [];
  for (let at = 0; at < cells.length; at += perLine) {
    lines.push(`${GAP}${cells.slice(at, at + perLine).join(GAP)}`.trimEnd());
  }
  return lines;
}

/** Names of one reason stand together. */
function formatSkipped(checks: readonly Check[], width: number): string[] {
  const byReason = new Map<string, string[]>();
  for (const { ok, name, detail } of checks) {
    if (ok === null) byReason.set(detail, [...(byReason.get(detail) ?? []), name]);
  }
  return [...byReason].flatMap(([reason, names]) =>
    wrapText(`${names.join(", ")} (${reason})`, width, "    ", "  – "),
  );
}

function formatSummary(rehearsal: RehearsalDocument, width: number): string[] {
  const { passed, counts, latency, tookMs } = rehearsal;
  const { percentiles, firstMs, observations, answers } = latency;
  const seconds = (tookMs / 1000).toFixed(1);
  const show = (ms: number) => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)));
  const lines = [
    `${counts.passed} passed, ${counts.failed} failed, ${counts.soft} to look at, ${counts.skipped} not looked at, in ${seconds} s.`,
  ];
  if (percentiles !== null) {
    const { p50, p95, p99, max } = percentiles;
    const first = firstMs === null ? "" : `; the first took ${show(firstMs)} ms`;
    lines.push(
      `${answers} of ${observations} observations were answered: p50 ${show(p50)} ms, p95 ${show(p95)} ms, p99 ${show(p99)} ms, the slowest ${show(max)} ms${first}.`,
    );
  }
  lines.push(passed ? describePass(counts.soft) : "Not ready: repair what is marked ✗ before a submission.");
  return lines.flatMap((line) => wrapText(line, width));
}

function describePass(soft: number): string {
  return soft === 0
    ? "Ready for a submission."
    : "Ready for a submission, but look at what is marked ! before you spend one.";
}
