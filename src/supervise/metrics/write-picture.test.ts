import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { choosePlace, writePicture } from "./write-picture.ts";

const folder = useTempFolder();
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>';

it("never writes over a file that nobody named, also where it came while the picture was drawn", async () => {
  const place = choosePlace(null, "base", folder());
  writeFileSync(place.file, "another's");
  await expect(writePicture(place, SVG)).rejects.toMatchObject({
    code: "value_bad",
    hint: expect.stringContaining("--out FILE"),
  });
  expect(readFileSync(place.file, "utf8")).toBe("another's");
  expect(readdirSync(folder())).toEqual(["base.svg"]);
  await writePicture(choosePlace("base.svg", "base", folder()), SVG);
  expect(readFileSync(place.file, "utf8")).toBe(SVG);
});

it("says of a place that cannot be written, and of a picture that cannot be drawn, what else to name", async () => {
  writeFileSync(join(folder(), "file"), "");
  const within = choosePlace("file/base.svg", "base", folder());
  await expect(writePicture(within, SVG)).rejects.toMatchObject({
    code: "picture_unwritable",
    hint: expect.stringContaining("--out FILE"),
  });
  await expect(writePicture(choosePlace("a.png", "a", folder()), "<svg")).rejects.toMatchObject({
    code: "picture_not_drawn",
    hint: expect.stringContaining("FILE.svg"),
  });
});
