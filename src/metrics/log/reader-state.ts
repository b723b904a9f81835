import { isFlag, isListOf, isNumber, isOneOf, isOrNull, isShape, isText } from "../../base/shape.ts";
import { decodeNumber, encodeNumber, isJsonNumber, type JsonNumber } from "../encode-number.ts";
import type { MetricPoint } from "../metric-point.ts";
import type { Positions } from "./follow-position.ts";
import type { SplitterState } from "./split-segments.ts";

/** All that a reader knows of its log. */
export interface KnownOfLog {
  offset: number;
  readonly splitter: SplitterState;
  readonly positions: Positions;
  /** The newest points of the line that is being drawn again and again. */
  readonly redrawn: Map<string, MetricPoint>;
}

/** The same as plain JSON. */
export interface ReaderState {
  readonly schema: 1;
  readonly offset: number;
  readonly rest: string;
  readonly isCut: boolean;
  readonly positions: readonly { source: string; epoch: number | null; step: number | null }[];
  readonly redrawn: readonly {
    metric: string;
    value: JsonNumber;
    step: number | null;
    epoch: number | null;
  }[];
}

const isState = isShape<ReaderState>({
  schema: isOneOf(1),
  offset: isNumber,
  rest: isText,
  isCut: isFlag,
  positions: isListOf(isShape({ source: isText, epoch: isOrNull(isNumber), step: isOrNull(isNumber) })),
  redrawn: isListOf(
    isShape({ metric: isText, value: isJsonNumber, step: isOrNull(isNumber), epoch: isOrNull(isNumber) }),
  ),
});

export function startReaderState(): KnownOfLog {
  return { offset: 0, splitter: { rest: "", isCut: false }, positions: new Map(), redrawn: new Map() };
}

export function loadReaderState(state: unknown): KnownOfLog {
  if (!isState(state)) return startReaderState();
  const { offset, rest, isCut, positions, redrawn } = state;
  return {
    offset,
    splitter: { rest, isCut },
    positions: new Map(positions.map(({ source, epoch, step }) => [source, { epoch, step }])),
    redrawn: new Map(
      redrawn.map((point) => [point.metric, { ...point, value: decodeNumber(point.value), atMs: null }]),
    ),
  };
}

export function saveReaderState({ offset, splitter, positions, redrawn }: KnownOfLog): ReaderState {
  return {
    schema: 1,
    offset,
    ...splitter,
    positions: [...positions].map(([source, { epoch, step }]) => ({ source, epoch, step })),
    redrawn: [...redrawn.values()].map(({ metric, value, step, epoch }) => ({
      ...{ metric, step, epoch },
      value: encodeNumber(value),
    })),
  };
}
