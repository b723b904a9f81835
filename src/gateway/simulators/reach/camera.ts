import type { PictureSize } from "../../../payload/robots.ts";
import type { Spot } from "./canvas.ts";
import {
  addVectors,
  crossVectors,
  multiplyVectors,
  normalizeVector,
  subtractVectors,
  type Vector,
} from "./vector.ts";

/** A camera without distortion, at a place, its axes as directions in `base_link`. */
export interface CameraView {
  readonly eye: Vector;
  readonly right: Vector;
  readonly down: Vector;
  readonly forward: Vector;
  /** Pixels for a metre at a metre's distance. */
  readonly focalPixels: number;
  readonly size: PictureSize;
}

/** What lies nearer is not seen, in metres. */
const NEAREST_M = 0.03;

/** A camera that looks along a direction; `up` says which way it is held. `width` is seen over `angle` radians. */
export function makeView(
  eye: Vector,
  toward: Vector,
  up: Vector,
  lens: { readonly size: PictureSize; readonly angle: number },
): CameraView {
  const forward = normalizeVector(toward);
  const right = normalizeVector(crossVectors(forward, up));
  const focalPixels = lens.size.width / 2 / Math.tan(lens.angle / 2);
  return { eye, right, down: crossVectors(forward, right), forward, focalPixels, size: lens.size };
}

/** How far in front of the camera a place lies, in metres. */
export function measureDepth({ eye, forward }: CameraView, place: Vector): number {
  return multiplyVectors(subtractVectors(place, eye), forward);
}

/** Where a place in front of the camera is seen. */
export function project(view: CameraView, place: Vector): Spot {
  const way = subtractVectors(place, view.eye);
  const scale = view.focalPixels / multiplyVectors(way, view.forward);
  return [
    view.size.width / 2 + scale * multiplyVectors(way, view.right),
    view.size.height / 2 + scale * multiplyVectors(way, view.down),
  ];
}

/** The part of a polygon, or of a line of two ends, that lies in front of the camera. */
export function clipToFront(view: CameraView, corners: readonly Vector[]): Vector[] {
  const kept: Vector[] = [];
  const edges = corners.length === 2 ? 1 : corners.length;
  for (let index = 0; index < corners.length; index += 1) {
    const corner = corners[index] as Vector;
    const depth = measureDepth(view, corner) - NEAREST_M;
    if (depth >= 0) kept.push(corner);
    if (index >= edges) continue;
    const next = corners[(index + 1) % corners.length] as Vector;
    const nextDepth = measureDepth(view, next) - NEAREST_M;
    if (depth >= 0 === nextDepth >= 0) continue;
    kept.push(addVectors(corner, subtractVectors(next, corner), depth / (depth - nextDepth)));
  }
  return kept;
}
