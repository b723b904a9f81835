import type { MetricFile } from "./metric-file.ts";
import { parseLooseJson } from "./parse-loose-json.ts";
import {
  listFields,
  listInner,
  type ProtoField,
  readFloat,
  readInteger,
  readSigned,
  readText,
} from "./protobuf.ts";
import { makeRowPoints } from "./row-points.ts";
import { readWandbRecords } from "./wandb-records.ts";

/** Fields of W&B's `Record`, `HistoryRecord` and `HistoryItem`. */
const HISTORY = 2;
const ITEM = 1;
const STEP = 2;
const KEY = 1;
const NESTED_KEY = 2;
const INTEGER = 5;
const NUMBER = 6;
const JSON_TEXTS = [8, 16];

/** The history of a run that W&B kept offline (`run-*.wandb`): all that was logged, with its steps. */
export function readWandbRun(bytes: Buffer): MetricFile {
  const records = readWandbRecords(bytes);
  if (records === null) return { points: [], problems: ["it is no offline run of W&B"] };
  const histories = records.flatMap(listFields).filter(({ number }) => number === HISTORY);
  return { points: histories.flatMap((history) => makeRowPoints(readHistory(history))), problems: [] };
}

function readHistory(history: ProtoField): [string, unknown][] {
  const fields = listInner(history);
  const items = fields.filter(({ number }) => number === ITEM).map((item) => readItem(listInner(item)));
  const step = fields.filter(({ number }) => number === STEP).flatMap(listInner)[0];
  const hasStep = items.some(([name]) => name === "_step");
  return step === undefined || hasStep ? items : [["_step", readInteger(step)], ...items];
}

function readItem(fields: readonly ProtoField[]): [string, unknown] {
  const key = fields.find(({ number }) => number === KEY);
  const nested = fields.filter(({ number }) => number === NESTED_KEY).map(readText);
  const name = key === undefined || readText(key) === "" ? nested.join("/") : readText(key);
  return [name, readItemValue(fields)];
}

/** Older versions wrote JSON, newer ones the number itself. */
function readItemValue(fields: readonly ProtoField[]): unknown {
  const json = fields.find(({ number }) => JSON_TEXTS.includes(number));
  if (json !== undefined) return parseLooseJson(readText(json));
  const number = fields.find((field) => field.number === NUMBER);
  if (number !== undefined) return readFloat(number);
  const integer = fields.find((field) => field.number === INTEGER);
  return integer === undefined ? null : readSigned(integer);
}
