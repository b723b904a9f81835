import { type CameraView, clipToFront, measureDepth, project } from "./camera.ts";
import type { Canvas, Colour, Spot } from "./canvas.ts";
import { addVectors, type Vector } from "./vector.ts";

/** What a scene is made of; places and sizes in metres. */
export type Solid =
  | { readonly kind: "ball"; readonly centre: Vector; readonly radius: number; readonly colour: Colour }
  | {
      readonly kind: "bar";
      readonly ends: readonly [Vector, Vector];
      readonly radius: number;
      readonly colour: Colour;
    };

/** Draws solids, the farthest first, so that the nearer ones cover them. */
export function drawSolids(canvas: Canvas, view: CameraView, solids: readonly Solid[]): void {
  const sorted = solids
    .map((solid) => ({ solid, depth: measureDepth(view, findMiddle(solid)) }))
    .sort((a, b) => b.depth - a.depth);
  for (const { solid } of sorted) {
    if (solid.kind === "ball") drawBall(canvas, view, solid);
    else drawBar(canvas, view, solid);
  }
}

/** A flat thing with corners, as a table. */
export function drawFace(canvas: Canvas, view: CameraView, corners: readonly Vector[], colour: Colour): void {
  const seen = clipToFront(view, corners);
  if (seen.length >= 3)
    canvas.fillPolygon(
      seen.map((corner) => project(view, corner)),
      colour,
    );
}

function findMiddle(solid: Solid): Vector {
  if (solid.kind === "ball") return solid.centre;
  const [from, to] = solid.ends;
  return [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2];
}

/** With a lighter spot where light falls on it. */
function drawBall(canvas: Canvas, view: CameraView, { centre, radius, colour }: Solid & { kind: "ball" }) {
  if (clipToFront(view, [centre]).length === 0) return;
  const pixels = (radius * view.focalPixels) / measureDepth(view, centre);
  const [u, v] = project(view, centre);
  canvas.fillDisc([u, v], pixels, darken(colour));
  canvas.fillDisc([u, v], 0.86 * pixels, colour);
  canvas.fillDisc([u - 0.3 * pixels, v - 0.35 * pixels], 0.25 * pixels, lighten(colour));
}

/** A dark edge sets it off from a bar of its own colour behind it. */
function drawBar(canvas: Canvas, view: CameraView, { ends, radius, colour }: Solid & { kind: "bar" }) {
  const seen = clipToFront(view, ends);
  if (seen.length < 2) return;
  const [from, to] = seen as [Vector, Vector];
  drawStroke(canvas, view, [from, to], radius, darken(colour));
  drawStroke(canvas, view, [from, to], 0.78 * radius, colour);
  const lift = addVectors([0, 0, 0], view.down, -0.3 * radius);
  drawStroke(canvas, view, [addVectors(from, lift), addVectors(to, lift)], 0.2 * radius, lighten(colour));
}

function drawStroke(
  canvas: Canvas,
  view: CameraView,
  [from, to]: readonly [Vector, Vector],
  radius: number,
  colour: Colour,
) {
  const size = radius * view.focalPixels;
  const [fromRadius, toRadius] = [size / measureDepth(view, from), size / measureDepth(view, to)];
  const [a, b] = [project(view, from), project(view, to)];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  canvas.fillDisc(a, fromRadius, colour);
  canvas.fillDisc(b, toRadius, colour);
  if (length < 1) return;
  const across: Spot = [(a[1] - b[1]) / length, (b[0] - a[0]) / length];
  const move = ([u, v]: Spot, by: number): Spot => [u + by * across[0], v + by * across[1]];
  canvas.fillPolygon(
    [move(a, fromRadius), move(b, toRadius), move(b, -toRadius), move(a, -fromRadius)],
    colour,
  );
}

function darken(colour: Colour): Colour {
  return colour.map((part) => Math.round(0.6 * part)) as unknown as Colour;
}

function lighten(colour: Colour): Colour {
  return colour.map((part) => Math.round(part + 0.5 * (255 - part))) as unknown as Colour;
}
