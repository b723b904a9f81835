import { chmodSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { findHome, findOthersRights, makeHome } from "./home.ts";

const folder = useTempFolder();
const readMode = (path: string) => statSync(path).mode & 0o7777;

it("makes a home that its owner alone can read", () => {
  const home = findHome({ SORTIE_HOME: join(folder(), "deep", "home") });
  makeHome(home);
  expect([readMode(home.root), findOthersRights(home)]).toEqual([0o700, "none"]);
});

it.each([
  [0o1777, "write"],
  [0o755, "read"],
  [0o700, "none"],
] as const)(
  "leaves a folder that is there with its mode %o, and closes what it makes in it",
  (mode, others) => {
    const home = findHome({ SORTIE_HOME: join(folder(), "there") });
    mkdirSync(home.root);
    chmodSync(home.root, mode);
    makeHome(home);
    makeHome(home);
    expect([readMode(home.root), findOthersRights(home)]).toEqual([mode, others]);
    if (others !== "none")
      expect([home.jobs, home.runs, home.plans].map(readMode)).toEqual([0o700, 0o700, 0o700]);
  },
);
