import { describeValue } from "../describe-value.ts";
import { readJpegSize } from "../jpeg-size.ts";
import { type Observation, readNumber } from "../observation.ts";
import { cameras, findRobot } from "../robots.ts";
import type { Finding, Rule } from "../rule.ts";
import { isMap, type PayloadMap } from "../unpack.ts";

const BYTES_PER_DEPTH_PIXEL = 2;

/** The pictures of an observation. A camera that is missing is a black picture for a model, and nothing says so. */
export const pictureRules: readonly Rule<Observation>[] = [
  {
    name: "pictures",
    level: "hard",
    wants: "There is a JPEG from each of the three cameras.",
    needs: ["observation-envelope"],
    find: ({ images }) => findFirst(images, "", findNoJpeg),
  },
  {
    name: "picture-size",
    level: "hard",
    wants: "A JPEG is as large as height and width say.",
    needs: ["pictures"],
    find: ({ images }) => findFirst(images, "", findWrongSize),
  },
  {
    name: "camera-size",
    level: "soft",
    wants: "A picture has the size that this robot's camera gives.",
    needs: ["picture-size"],
    find: findOtherCamera,
  },
  {
    name: "depth",
    level: "hard",
    wants: "A depth picture has two bytes a pixel.",
    needs: ["observation-envelope"],
    find: ({ images }) => findFirst(images, "_depth", findBadDepth),
  },
  {
    name: "history",
    level: "soft",
    wants: "A history has an interval and a list of earlier pictures.",
    needs: ["observation-envelope"],
    find: findBadHistory,
  },
];

type Look = (picture: unknown, path: string) => Finding | undefined;

function findFirst(images: PayloadMap, suffix: string, look: Look): Finding | undefined {
  for (const camera of cameras) {
    const finding = look(images[camera + suffix], `params.images.${camera}${suffix}`);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

function findNoJpeg(picture: unknown, path: string): Finding | undefined {
  if (!isMap(picture))
    return { path, says: `is ${describeValue(picture)}: a map with a picture belongs there` };
  const { encoding, image_data: data } = picture;
  if (encoding !== "JPEG")
    return { path: `${path}.encoding`, says: `is ${describeValue(encoding)}: it is JPEG` };
  if (!(data instanceof Uint8Array))
    return { path: `${path}.image_data`, says: `is ${describeValue(data)}: it is bytes` };
  if (readJpegSize(data) === undefined) return { path: `${path}.image_data`, says: "is no JPEG" };
  return undefined;
}

function findWrongSize(picture: unknown, path: string): Finding | undefined {
  const { image_data: data, height, width } = picture as PayloadMap;
  const size = readJpegSize(data as Uint8Array);
  if (readNumber(height) === size?.height && readNumber(width) === size?.width) return undefined;
  const said = `${describeValue(height)} high and ${describeValue(width)} wide`;
  return { path, says: `says ${said}, and its JPEG is ${size?.height} high and ${size?.width} wide` };
}

function findOtherCamera({ images, params }: Observation): Finding | undefined {
  const sizes = findRobot(params["robot_type"] as string)?.pictures;
  if (sizes === undefined) return undefined;
  for (const camera of cameras) {
    const { height, width } = images[camera] as PayloadMap;
    const wanted = sizes[camera];
    if (readNumber(height) === wanted.height && readNumber(width) === wanted.width) continue;
    return {
      path: `params.images.${camera}`,
      says: `is ${height} high and ${width} wide: on a ${params["robot_type"]} it is ${wanted.height} and ${wanted.width}`,
    };
  }
  return undefined;
}

/** Depth is sent when it was asked for: absent is right. */
function findBadDepth(picture: unknown, path: string): Finding | undefined {
  if (picture === undefined) return undefined;
  if (!isMap(picture))
    return { path, says: `is ${describeValue(picture)}: a map with a picture belongs there` };
  const { encoding, image_data: data, height, width } = picture;
  if (encoding !== "RAW_UINT16")
    return { path: `${path}.encoding`, says: `is ${describeValue(encoding)}: it is RAW_UINT16` };
  const wanted = BYTES_PER_DEPTH_PIXEL * (readNumber(height) ?? 0) * (readNumber(width) ?? 0);
  if (data instanceof Uint8Array && data.length === wanted) return undefined;
  return {
    path: `${path}.image_data`,
    says: `is ${describeValue(data)}: height and width make ${wanted} bytes`,
  };
}

/** The first observation of an episode has none. */
function findBadHistory({ params: { history } }: Observation): Finding | undefined {
  if (history === undefined || history === null) return undefined;
  const path = "params.history";
  if (!isMap(history)) return { path, says: `is ${describeValue(history)}: a map belongs there` };
  const { interval, images } = history;
  if (!Number.isSafeInteger(readNumber(interval))) {
    return { path: `${path}.interval`, says: `is ${describeValue(interval)}: a whole number belongs there` };
  }
  if (Array.isArray(images) && images.every(isMap)) return undefined;
  return {
    path: `${path}.images`,
    says: `is ${describeValue(images)}: a list of maps with pictures belongs there`,
  };
}
