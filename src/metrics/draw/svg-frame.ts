import { findShare, formatApart, type ValueScale } from "./value-scale.ts";

/** Where the curves lie in the picture, in its units, and what they are measured by. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly x: ValueScale;
  readonly y: ValueScale;
}

/** What XML does not allow at all: control characters, and halves of characters. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text as XML may hold it, in elements and attributes. */
function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, "\ufffd")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function drawText(x: number, y: number, text: string, attributes = ""): string {
  return `<text x="${round(x)}" y="${round(y)}"${attributes === "" ? "" : ` ${attributes}`}>${escapeXml(text)}</text>`;
}

/** Grid, ticks and their numbers, on both axes. */
export function drawFrame(frame: Frame, xTicks: readonly number[], yTicks: readonly number[]): string[] {
  const { left, top, width, height } = frame;
  const xLabels = formatApart(xTicks);
  const yLabels = formatApart(yTicks);
  return [
    ...xTicks.flatMap((tick, index) => {
      const x = placeX(frame, tick);
      return [
        drawLine(x, top, x, top + height),
        drawText(x, top + height + 16, xLabels[index] as string, 'text-anchor="middle"'),
      ];
    }),
    ...yTicks.flatMap((tick, index) => {
      const y = placeY(frame, tick);
      return [
        drawLine(left, y, left + width, y),
        drawText(left - 6, y + 4, yLabels[index] as string, 'text-anchor="end"'),
      ];
    }),
    `<rect x="${left}" y="${top}" width="${round(width)}" height="${round(height)}" fill="none" stroke="#888"/>`,
  ];
}

export function placeX({ left, width, x }: Frame, value: number): number {
  return left + width * findShare(x, value);
}

export function placeY({ top, height, y }: Frame, value: number): number {
  return top + height * (1 - findShare(y, value));
}

/** A hundredth of a pixel is enough. */
export function round(value: number): string {
  return String(Number(value.toFixed(2)));
}

function drawLine(fromX: number, fromY: number, toX: number, toY: number): string {
  return `<line x1="${round(fromX)}" y1="${round(fromY)}" x2="${round(toX)}" y2="${round(toY)}" stroke="#e4e4e4"/>`;
}
