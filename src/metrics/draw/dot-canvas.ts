/** The bits of the eight dots of a braille character, by row and column. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const BLANK = 0x2800;

/** Dots that are drawn as characters: two wide and four high in one. */
export interface DotCanvas {
  readonly width: number;
  readonly height: number;
  /** `y` counts from the bottom. What is outside is not drawn. */
  readonly dot: (x: number, y: number) => void;
  readonly line: (fromX: number, fromY: number, toX: number, toY: number) => void;
  /** The lines from the top; `isPlain`: a star where braille cannot be shown. */
  readonly show: (isPlain: boolean) => string[];
}

/** A canvas of so many characters. */
export function makeDotCanvas(columns: number, rows: number): DotCanvas {
  const cells = new Uint8Array(columns * rows);
  const [width, height] = [columns * 2, rows * 4];
  const dot = (x: number, y: number) => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    const fromTop = height - 1 - y;
    const bit = DOTS[fromTop % 4]?.[x % 2] ?? 0;
    const index = Math.floor(fromTop / 4) * columns + Math.floor(x / 2);
    cells[index] = (cells[index] as number) | bit;
  };
  return {
    width,
    height,
    dot,
    line: (fromX, fromY, toX, toY) => {
      const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY), 1);
      for (let step = 0; step <= steps; step += 1) {
        const share = step / steps;
        dot(Math.round(fromX + (toX - fromX) * share), Math.round(fromY + (toY - fromY) * share));
      }
    },
    show: (isPlain) =>
      Array.from({ length: rows }, (_, row) =>
        Array.from(cells.subarray(row * columns, (row + 1) * columns), (bits) =>
          showCell(bits, isPlain),
        ).join(""),
      ),
  };
}

function showCell(bits: number, isPlain: boolean): string {
  if (bits === 0) return " ";
  return isPlain ? "*" : String.fromCharCode(BLANK + bits);
}
