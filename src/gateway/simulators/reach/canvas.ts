import type { PictureSize } from "../../../payload/robots.ts";

/** Red, green and blue, from 0 to 255. */
export type Colour = readonly [number, number, number];

/** A place in a picture: pixels from the left and from the top. */
export type Spot = readonly [u: number, v: number];

const BYTES_PER_PIXEL = 3;

/** A picture of flat colours, without smooth edges: what is drawn is filled row by row, which costs little. */
export class Canvas {
  readonly height: number;
  readonly width: number;
  /** RGB, row by row. */
  readonly pixels: Buffer;

  constructor({ height, width }: PictureSize) {
    this.height = height;
    this.width = width;
    this.pixels = Buffer.allocUnsafeSlow(height * width * BYTES_PER_PIXEL);
  }

  fillAll(colour: Colour): void {
    this.pixels.fill(Uint8Array.from(colour));
  }

  fillRectangle([left, top]: Spot, [right, bottom]: Spot, colour: Colour): void {
    for (let v = clamp(top, this.height); v < bottom && v < this.height; v += 1) {
      this.#fillRow(v, left, right, colour);
    }
  }

  fillDisc([u, v]: Spot, radius: number, colour: Colour): void {
    const last = Math.min(this.height - 1, Math.floor(v + radius));
    for (let row = clamp(v - radius, this.height); row <= last; row += 1) {
      const half = Math.sqrt(Math.max(0, radius ** 2 - (row - v) ** 2));
      this.#fillRow(row, u - half, u + half, colour);
    }
  }

  /** A polygon without dents, its corners in any direction round. */
  fillPolygon(corners: readonly Spot[], colour: Colour): void {
    const heights = corners.map(([, v]) => v);
    const last = Math.min(this.height - 1, Math.floor(Math.max(...heights)));
    for (let row = clamp(Math.min(...heights), this.height); row <= last; row += 1) {
      const crossings = findCrossings(corners, row);
      if (crossings.length >= 2) {
        this.#fillRow(row, Math.min(...crossings), Math.max(...crossings), colour);
      }
    }
  }

  #fillRow(row: number, from: number, to: number, colour: Colour) {
    const start = (row * this.width + clamp(from, this.width)) * BYTES_PER_PIXEL;
    const end = (row * this.width + clamp(to, this.width)) * BYTES_PER_PIXEL;
    if (end > start) this.pixels.fill(Uint8Array.from(colour), start, end);
  }
}

function findCrossings(corners: readonly Spot[], row: number): number[] {
  const crossings: number[] = [];
  for (const [index, [u, v]] of corners.entries()) {
    const [nextU, nextV] = corners[(index + 1) % corners.length] as Spot;
    if (v === nextV || row < Math.min(v, nextV) || row > Math.max(v, nextV)) continue;
    crossings.push(u + ((nextU - u) * (row - v)) / (nextV - v));
  }
  return crossings;
}

/** The first whole pixel from here on, within the picture. */
function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, Math.ceil(value)));
}
