import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { makeFileOnce, writeFileAtomic } from "../../disk/atomic-file.ts";
import { drawPng } from "../../metrics/draw/draw-png.ts";

/** Where a picture goes. Nobody named `isOwn`: then no other file may be there. */
export interface PicturePlace {
  readonly file: string;
  readonly isOwn: boolean;
}

/** @param out null: `NAME.svg` in that folder. @throws value_bad */
export function choosePlace(out: string | null, name: string, cwd: string): PicturePlace {
  const place = { file: resolve(cwd, out ?? `${name}.svg`), isOwn: out === null };
  if (place.isOwn && existsSync(place.file)) throw refuseOther(place.file);
  if (![".svg", ".png"].includes(findEnding(place.file))) {
    throw refusePlace(out ?? place.file, "pictures are .svg or .png", "Name a file that ends so.");
  }
  return place;
}

/** In the form that its name tells. @throws value_bad, picture_not_drawn, picture_unwritable */
export async function writePicture({ file, isOwn }: PicturePlace, svg: string): Promise<void> {
  const picture = findEnding(file) === ".png" ? await drawPngOf(svg) : svg;
  let isWritten = true;
  try {
    if (isOwn) isWritten = makeFileOnce(file, picture);
    else writeFileAtomic(file, picture);
  } catch (fault) {
    const reason = fault instanceof SortieError ? fault.details["reason"] : describeFault(fault);
    throw new SortieError("picture_unwritable", { path: file, reason }, fault);
  }
  if (!isWritten) throw refuseOther(file);
}

/** The library for pictures is another's, and knows limits of its own. */
async function drawPngOf(svg: string): Promise<Buffer> {
  try {
    return await drawPng(svg);
  } catch (fault) {
    throw new SortieError("picture_not_drawn", { reason: describeFault(fault) }, fault);
  }
}

function findEnding(file: string): string {
  return extname(file).toLowerCase();
}

function refuseOther(file: string): SortieError {
  return refusePlace(
    file,
    "a file of that name is there",
    "Say where the picture is to go: --out FILE.svg or FILE.png",
  );
}

function refusePlace(value: string, reason: string, advice: string): SortieError {
  return new SortieError("value_bad", { what: "--out", value, reason, advice });
}
