import { cutToWidth, measureWidth } from "../base/text-width.ts";
import type { Io } from "./io.ts";

/** Lines at the bottom of a terminal that are drawn anew in place. */
export interface LiveArea {
  /** Puts these lines where the last ones stand. They hold no control characters, and are cut to the terminal. */
  draw(lines: readonly string[]): void;
  /** Leaves it as it is, so that something else can use the terminal; the next draw stands below that. */
  leave(): void;
  /** Leaves what was drawn last on the terminal, and listens no more. */
  end(): void;
}

type Screen = Pick<Io, "columns" | "rows" | "write">;

/** No terminal can be asked how many rows it has: lines beyond these are left out. */
const USUAL_ROWS = 24;
const ERASE_BELOW = "\u001b[J";

/** `screen` tells the size at each moment. `onResize` calls back when it has changed, until it is told to stop. */
export function makeLiveArea(
  screen: Screen,
  onResize: (listener: () => void) => () => void = listenForResize,
): LiveArea {
  let wanted: readonly string[] = [];
  /** As they stand on the terminal. */
  let drawn: readonly string[] = [];

  /** To the beginning of the area, and away with what stands from there on. */
  const makeErasure = () => {
    const rows = drawn.reduce((sum, line) => sum + countRows(line, screen.columns), 0);
    return rows === 0 ? "" : `\r\u001b[${rows}A${ERASE_BELOW}`;
  };
  const redraw = () => {
    const next = cutToScreen(wanted, screen);
    screen.write(`${makeErasure()}${next.map((line) => `${line}\n`).join("")}`);
    drawn = next;
  };
  const stopListening = onResize(() => {
    if (drawn.length > 0) redraw();
  });
  return {
    draw(lines) {
      wanted = lines;
      redraw();
    },
    leave() {
      [wanted, drawn] = [[], []];
    },
    end: stopListening,
  };
}

/** One row is left for the cursor: a terminal that scrolls moves what is to be drawn over. */
function cutToScreen(lines: readonly string[], { rows, columns }: Screen): string[] {
  const most = Math.max(1, (rows ?? USUAL_ROWS) - 1);
  const width = Math.max(1, columns);
  const kept =
    lines.length <= most ? lines : [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more`];
  return kept.map((line) => cutToWidth(line, width));
}

/** A terminal that has become narrower has broken its lines anew. */
function countRows(line: string, columns: number): number {
  return Math.max(1, Math.ceil(measureWidth(line) / Math.max(1, columns)));
}

function listenForResize(listener: () => void): () => void {
  process.stdout.on("resize", listener);
  return () => void process.stdout.off("resize", listener);
}
