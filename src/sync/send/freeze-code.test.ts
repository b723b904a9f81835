import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { findShells, linkTools } from "../../../test/support/shells.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { quoteCommand, quoteShell } from "../../base/quote.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { freezeFunctions, listResultTops } from "./freeze-code.ts";

const folder = useTempFolder();
const runner = makeLocalRunner();
const code = () => join(folder(), "code");
const copy = () => join(folder(), "copy");

const SENT = ["train.py", "run.sh", "pkg/sub/-m.py", ".hidden", "data/load.py", "link", "a\nb"];
const HOSTS = ["old.py", ".cache/x", "checkpoints/last.pt", "data/train.csv", "data/raw/1.bin", "pkg/old.py"];
const RESULTS = ["results/m.json", "plot.png"];

beforeEach(() => {
  const files = [...SENT.filter((path) => path !== "link"), ...HOSTS, ...RESULTS];
  for (const path of files) {
    mkdirSync(dirname(join(code(), path)), { recursive: true });
    writeFileSync(join(code(), path), path, { mode: path === "run.sh" ? 0o755 : 0o644 });
  }
  symlinkSync("pkg", join(code(), "link"));
  symlinkSync("nowhere", join(code(), "dangling"));
});

interface FreezeOptions {
  readonly shell: string;
  readonly path?: string;
  readonly sent?: readonly string[];
}

async function freeze({ shell, path, sent = SENT }: FreezeOptions) {
  const list = join(folder(), "list");
  writeFileSync(list, sent.map((name) => `./${name}\0`).join(""));
  const call = quoteCommand([
    "sortie_freeze_code",
    code(),
    list,
    copy(),
    ...listResultTops(["results/**", "*.png"]),
  ]);
  return runner.run([...shell.split(" "), "-s"], {
    stdin: `${freezeFunctions}\n${path === undefined ? "" : `PATH=${quoteShell(path)}\n`}${call}\n`,
    timeoutMs: 20_000,
  });
}

/** Every file and link below the copy: a link as `name -> target`. */
function listCopy(below = ""): string[] {
  return readdirSync(join(copy(), below)).flatMap((name) => {
    const path = join(below, name);
    const stats = lstatSync(join(copy(), path));
    if (stats.isDirectory()) return listCopy(path);
    return [stats.isSymbolicLink() ? `${path} -> ${readlinkSync(join(copy(), path))}` : path];
  });
}

const EXPECTED = () =>
  [
    ...SENT.filter((path) => path !== "link"),
    "link -> pkg",
    ...[".cache", "checkpoints", "dangling", "old.py", "data/train.csv", "data/raw"].map(
      (path) => `${path} -> ${join(code(), path)}`,
    ),
  ].sort();

describe("a frozen copy", () => {
  it.each(findShells())(
    "is made by %s: what was sent is copied, the rest of the top linked",
    async (shell) => {
      expect(await freeze({ shell })).toMatchObject({ exitCode: 0, stderr: "" });
      expect(listCopy().sort()).toEqual(EXPECTED());
      expect(readFileSync(join(copy(), "pkg/sub/-m.py"), "utf8")).toBe("pkg/sub/-m.py");
      expect(lstatSync(join(copy(), "run.sh")).mode & 0o777).toBe(0o755);
      writeFileSync(join(code(), "train.py"), "newer");
      expect(readFileSync(join(copy(), "train.py"), "utf8")).toBe("train.py");
    },
  );

  it("is the same where cp is not GNU's", async () => {
    const path = linkTools(join(folder(), "busybox"), ["busybox", "sh"]);
    for (const name of ["cp", "xargs", "mkdir", "ln"]) symlinkSync("busybox", join(path, name));
    expect(await freeze({ shell: "dash", path })).toMatchObject({ exitCode: 0, stderr: "" });
    expect(listCopy().sort()).toEqual(EXPECTED());
  });

  it("fails where something sent is not there, or a copy is already", async () => {
    const incomplete = await freeze({ shell: "dash", sent: ["gone.py"] });
    expect(incomplete.exitCode).not.toBe(0);
    expect(incomplete.stderr).toContain("gone.py");
    const again = await freeze({ shell: "dash" });
    expect(again.exitCode).not.toBe(0);
    expect(again.stderr).toContain("copy");
  });

  it("of nothing links everything but results", async () => {
    expect(await freeze({ shell: "dash", sent: [] })).toMatchObject({ exitCode: 0, stderr: "" });
    expect(readdirSync(copy())).toContain("train.py");
    expect(readdirSync(copy())).not.toContain("results");
  });
});

it("results are named by what lies at the top of the code folder", () => {
  expect(
    listResultTops(["./results/**", "results", "out put/a", "*.json", "*/metrics", "**/*.png", "."]),
  ).toEqual([...["results", "out put", "*.json"]]);
});
