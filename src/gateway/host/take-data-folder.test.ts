import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { takeDataFolder } from "./take-data-folder.ts";

const temp = useTempFolder();

it("says of a data folder that cannot be one that it is the gateway's, and what to do", () => {
  writeFileSync(join(temp(), "file"), "");
  const take = (folder: string) => () => takeDataFolder(join(temp(), folder));
  const noFolder = expect.objectContaining({ code: "gateway_data_no_folder" });
  expect(take("file")).toThrow(noFolder);
  expect(take("file/below")).toThrow(noFolder);
});

it("is there for one at a time", () => {
  const lock = takeDataFolder(join(temp(), "data"));
  expect(() => takeDataFolder(join(temp(), "data"))).toThrow(
    expect.objectContaining({ code: "gateway_running" }),
  );
  lock.release();
  takeDataFolder(join(temp(), "data")).release();
});
