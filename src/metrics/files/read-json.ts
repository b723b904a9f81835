import { isObject } from "../../base/shape.ts";
import { type MetricPoint, MOST_NAME_LENGTH } from "../metric-point.ts";
import { limitProblems, type MetricFile } from "./metric-file.ts";
import { parseLooseJson } from "./parse-loose-json.ts";
import { makeRowPoints, readNumber } from "./row-points.ts";

/**
 * The numbers of a `metrics.json`: an object of last values; a list of rows, also as the `log_history` of Hugging Face's
 * `trainer_state.json`; or lists by name, as Keras keeps its history, where the place in the list is the step.
 */
export function readJsonMetrics(text: string): MetricFile {
  const value = parseLooseJson(text);
  if (value === undefined) return { points: [], problems: ["it is no JSON, or not whole"] };
  const rows = Array.isArray(value) ? value : isObject(value) ? value["log_history"] : undefined;
  if (Array.isArray(rows)) {
    return {
      points: rows.filter(isObject).flatMap((row) => makeRowPoints(Object.entries(row))),
      problems: [],
    };
  }
  if (!isObject(value)) return { points: [], problems: ["it holds neither an object nor a list of objects"] };
  return { points: [...makeRowPoints(Object.entries(value)), ...listSeries(value)], problems: [] };
}

/** One line of JSON a row. A half written last line is no problem: it will be whole later. */
export function readJsonLines(text: string): MetricFile {
  const lines = text.split(/\r?\n/);
  const problems: string[] = [];
  const points = lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const row = parseLooseJson(line);
    if (isObject(row)) return makeRowPoints(Object.entries(row));
    if (index < lines.length - 1) problems.push(`line ${index + 1} is no JSON object`);
    return [];
  });
  return { points, problems: limitProblems(problems) };
}

function listSeries(value: Record<string, unknown>): MetricPoint[] {
  return Object.entries(value).flatMap(([metric, list]) => {
    if (!Array.isArray(list) || metric.length > MOST_NAME_LENGTH) return [];
    const values = list.map(readNumber);
    return values.includes(null)
      ? []
      : values.map((item, step) => ({ metric, value: Number(item), step, epoch: null, atMs: null }));
  });
}
