import type { Picture } from "../../payload/make-observation.ts";
import { type Camera, cameras, type PictureSize } from "../../payload/robots.ts";

/** How pictures are made, the same bytes on every machine with the same encoder. */
export interface PictureStyle {
  /** Of the JPEG, from 1 to 100. */
  readonly quality: number;
  /** How far a pixel strays from the smooth picture, in steps of 255; what gives a JPEG its size. */
  readonly grain: Readonly<Record<Camera, number>>;
}

/** Of middling detail: about 80 kB for the head and 280 kB for a hand of a G2. */
export const detailedStyle: PictureStyle = { quality: 95, grain: { head: 6, hand_left: 3, hand_right: 3 } };

/** As small as a picture of that size gets, to be filled up to any size. */
export const smallStyle: PictureStyle = { quality: 10, grain: { head: 0, hand_left: 0, hand_right: 0 } };

/** A picture for each camera. The encoder is loaded with the first call: a gateway without simulators needs none. */
export async function makePictures(
  sizes: Readonly<Record<Camera, PictureSize>>,
  style: PictureStyle,
): Promise<Record<Camera, Picture>> {
  const { default: sharp } = await import("sharp");
  const makeOne = async (camera: Camera, index: number): Promise<[Camera, Picture]> => {
    const { height, width } = sizes[camera];
    const pixels = drawPixels(sizes[camera], style.grain[camera], index);
    const jpeg = await sharp(pixels, { raw: { height, width, channels: 3 } })
      .jpeg({ quality: style.quality })
      .toBuffer();
    return [camera, { height, width, jpeg }];
  };
  return Object.fromEntries(await Promise.all(cameras.map(makeOne))) as Record<Camera, Picture>;
}

/** Two gradients and waves, with grain on them: a scene that compresses as a photograph does. */
function drawPixels({ height, width }: PictureSize, grain: number, index: number): Buffer {
  const pixels = Buffer.allocUnsafe(height * width * 3);
  let random = index + 1;
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      const stray = ((random >>> 8) % (2 * grain + 1)) - grain;
      pixels[at] = 30 + (190 * y) / height + stray;
      pixels[at + 1] = 30 + (190 * x) / width + stray;
      pixels[at + 2] = 120 + 60 * Math.sin(x / 40 + index) + stray;
      at += 3;
    }
  }
  return pixels;
}
