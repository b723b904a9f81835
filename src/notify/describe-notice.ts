import { countOf } from "../base/count-of.ts";
import { formatDuration } from "../base/duration.ts";
import type {
  Digest,
  ExperimentResult,
  ExperimentsEnded,
  LaunchedExperiment,
  MeasuredMetric,
  Notice,
} from "./notice.ts";

/** The colours of a card's head, by event. */
export type NoticeColour = "green" | "red" | "orange" | "yellow" | "blue" | "purple";

export interface NoticeText {
  readonly title: string;
  readonly colour: NoticeColour;
  /** Lines without markup. */
  readonly lines: readonly string[];
}

const MOST_LINE = 300;

/** A notice in words for people, the same on every way. */
export function describeNotice(notice: Notice | Digest): NoticeText {
  const { title, colour, lines } = describeWhole(notice);
  return { title: shorten(title.replace(/\s+/g, " ")), colour, lines: lines.flatMap(splitLines) };
}

function describeWhole(notice: Notice | Digest): NoticeText {
  switch (notice.kind) {
    case "experiment_done":
      return notice.phase === "launched" ? describeLaunch(notice.experiments) : describeEnd(notice);
    case "error":
      return {
        title: `Error: ${notice.what}`,
        colour: "red",
        lines: [notice.message, ...notice.lines, `About: ${notice.subject}`],
      };
    case "checkpoint":
      return {
        title: "Checkpoint: waiting for an answer",
        colour: "yellow",
        lines: [notice.question, `Options: ${notice.options.join(", ")}`, ...notice.lines],
      };
    case "fleet":
      return { title: notice.title, colour: notice.isBad ? "orange" : "blue", lines: notice.lines };
    case "job":
      return { title: notice.title, colour: notice.isBad ? "orange" : "purple", lines: notice.lines };
    case "test":
      return { title: "Test of the notices", colour: "blue", lines: ["This is what a notice looks like."] };
    case "digest":
      return describeDigest(notice);
  }
}

function describeLaunch(experiments: readonly LaunchedExperiment[]): NoticeText {
  return {
    title: `${countOf(experiments.length, "experiment")} launched`,
    colour: "green",
    lines: experiments.map(({ id, name, target, gpus, expectedSeconds }) => {
      const time =
        expectedSeconds === null ? "of unknown length" : `about ${formatDuration(expectedSeconds)}`;
      return `${name} (${id}) on ${target}: ${gpus.join(", ") || "no GPU"}, ${time}`;
    }),
  };
}

/** Red where all failed and orange where some did: nobody should read a failure as done. */
function describeEnd({ results, baseline, costUsd }: ExperimentsEnded): NoticeText {
  const good = results.filter(({ status }) => status === "succeeded").length;
  const isOne = results.length === 1;
  const isAll = good === results.length;
  const one = results[0] as ExperimentResult | undefined;
  return {
    title: isOne
      ? `Experiment ${one?.status}: ${one?.name}`
      : `${good} of ${results.length} experiments succeeded`,
    colour: isAll ? "green" : good === 0 ? "red" : "orange",
    lines: [
      ...results.flatMap((result) => describeResult(result, baseline)),
      ...(costUsd === null ? [] : [`Cost: ${costUsd.toFixed(2)} USD`]),
    ],
  };
}

function describeResult(result: ExperimentResult, baseline: string | null): string[] {
  const { name, status, metrics = [], seconds, lines = [] } = result;
  const time = seconds === null ? [] : [`after ${formatDuration(seconds)}`];
  const head = `${name}: ${[status, ...time].join(", ")}`;
  const measured = metrics.map((metric) => describeMetric(metric, baseline));
  // Of what failed one wants to know why first: a desktop shows few lines.
  const told = status === "succeeded" ? [...measured, ...lines] : [...lines, ...measured];
  return [head, ...told.map((line) => `  ${line}`)];
}

function describeMetric({ metric, value, delta }: MeasuredMetric, baseline: string | null): string {
  const sign = delta !== null && delta >= 0 ? "+" : "";
  const change = delta === null || baseline === null ? "" : `, ${sign}${formatNumber(delta)} to ${baseline}`;
  return `${metric.replace(/\s+/g, " ")} ${value === null ? "NaN or infinite" : formatNumber(value)}${change}`;
}

function formatNumber(value: number): string {
  return String(Number(value.toPrecision(5)));
}

/** Its notices are of one kind: what is common stands in the title. */
function describeDigest({ notices }: Digest): NoticeText {
  const first = notices[0] as Notice;
  if (first.kind === "experiment_done") return describeExperiments(notices);
  const texts = notices.map(describeWhole);
  return {
    title: `${countOf(notices.length, "notice")}: ${first.kind}`,
    colour: findWorst(texts.map(({ colour }) => colour)),
    lines: texts.flatMap(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)]),
  };
}

function describeExperiments(notices: readonly Notice[]): NoticeText {
  const launched = notices.flatMap((notice) => ("experiments" in notice ? notice.experiments : []));
  if (launched.length > 0) return describeLaunch(launched);
  const ended = notices.filter((notice) => "results" in notice);
  const costs = ended.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  const total = costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
  const whole = describeEnd({
    ...(ended[0] as ExperimentsEnded),
    ...{ results: ended.flatMap(({ results }) => results), costUsd: total },
  });
  const lines = ended.flatMap(({ results, baseline }) =>
    results.flatMap((one) => describeResult(one, baseline)),
  );
  return { ...whole, lines: total === null ? lines : [...lines, `Cost: ${total.toFixed(2)} USD`] };
}

function findWorst(colours: readonly NoticeColour[]): NoticeColour {
  const worst = (["red", "orange", "yellow"] as const).find((colour) => colours.includes(colour));
  return worst ?? colours[0] ?? "blue";
}

function splitLines(text: string): string[] {
  return text.split("\n").map(shorten);
}

function shorten(line: string): string {
  if (line.length <= MOST_LINE) return line;
  // Half of a character is none: servers refuse the whole message for it.
  return `${line.slice(0, MOST_LINE).replace(/[\ud800-\udbff]$/, "")}…`;
}
