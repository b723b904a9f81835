import { type MetricPoint, MOST_NAME_LENGTH } from "../metric-point.ts";
import { limitProblems, type MetricFile } from "./metric-file.ts";
import { listFields, listInner, type ProtoField, readFloat, readInteger, readText } from "./protobuf.ts";
import { readTensorScalar } from "./tensor-scalar.ts";
import { readTensorflowRecords } from "./tensorflow-records.ts";

/** Fields of TensorFlow's `Event`, `Summary` and `Summary.Value`. */
const WALL_TIME = 1;
const STEP = 2;
const SUMMARY = 5;
const VALUE = 1;
const TAG = 1;
const SIMPLE_VALUE = 2;
const TENSOR = 8;
const METADATA = 9;

/**
 * The scalars of a TensorBoard event file, of both generations: plain values, and tensors of one number. `end` is where to go
 * on when the file has grown. Pictures, texts and histograms are passed over.
 */
export function readEvents(bytes: Buffer, start = 0): MetricFile & { end: number } {
  const { records, end, problems } = readTensorflowRecords(bytes, start);
  return { points: records.flatMap(readEvent), end, problems: limitProblems(problems) };
}

function readEvent(event: Buffer): MetricPoint[] {
  const fields = listFields(event);
  const wallTime = fields.find(({ number }) => number === WALL_TIME);
  const step = fields.find(({ number }) => number === STEP);
  const place = {
    step: step === undefined ? 0 : keepFinite(readInteger(step)),
    epoch: null,
    atMs: wallTime === undefined ? null : keepFinite(Math.round(readFloat(wallTime) * 1000)),
  };
  return fields
    .filter(({ number }) => number === SUMMARY)
    .flatMap(listInner)
    .filter(({ number }) => number === VALUE)
    .flatMap((value) => readValue(listInner(value), place));
}

/** What damage made of a place tells none. */
function keepFinite(place: number): number | null {
  return Number.isFinite(place) ? place : null;
}

function readValue(
  fields: readonly ProtoField[],
  place: Omit<MetricPoint, "metric" | "value">,
): MetricPoint[] {
  const tag = fields.find(({ number }) => number === TAG);
  const plugin = findPlugin(fields);
  if (tag === undefined || (plugin !== null && plugin !== "scalars")) return [];
  const metric = readText(tag);
  const value = metric.length > MOST_NAME_LENGTH ? null : readScalar(fields);
  return value === null ? [] : [{ metric, value, ...place }];
}

function readScalar(fields: readonly ProtoField[]): number | null {
  const simple = fields.find(({ number, wire }) => number === SIMPLE_VALUE && wire === "fixed32");
  if (simple !== undefined) return readFloat(simple);
  const tensor = fields.find(({ number }) => number === TENSOR)?.value;
  return Buffer.isBuffer(tensor) ? readTensorScalar(tensor) : null;
}

/** The plugin that shows a value: metadata's field 1, whose field 1 is its name. */
function findPlugin(fields: readonly ProtoField[]): string | null {
  const metadata = fields.filter(({ number }) => number === METADATA).flatMap(listInner);
  const name = metadata
    .filter(({ number }) => number === 1)
    .flatMap(listInner)
    .find(({ number }) => number === 1);
  return name === undefined ? null : readText(name);
}
