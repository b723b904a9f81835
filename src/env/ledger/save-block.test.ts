import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { loadOwnIdentity } from "../../process/identity.ts";
import { parseLedger } from "./parse-ledger.ts";
import { saveBlock } from "./save-block.ts";

const folder = useTempFolder();
const path = () => join(folder(), ".aris", "compute", "local.md");
const KEY = { name: "train", hash: "1a2b3c4d" };
const write = (text: string) => {
  mkdirSync(join(folder(), ".aris", "compute"), { recursive: true });
  writeFileSync(path(), text);
};
const list = () => readdirSync(join(folder(), ".aris", "compute"));
const checkout = join(import.meta.dirname, "../../..");

/** Adds so many gotchas of its own, each by a save. */
const WRITER = `
import { saveBlock } from "./src/env/ledger/save-block.ts";
const [path, who, count] = process.argv.slice(2);
for (let at = 0; at < Number(count); at += 1) {
  await saveBlock(path, { name: "train", hash: "1a2b3c4d", how: who, gotchas: [who + " " + at] });
}
`;

it("makes the file and its folder, and says whether anything was new", async () => {
  expect(await saveBlock(path(), { ...KEY, how: "venv" })).toBe(true);
  expect(await saveBlock(path(), { ...KEY, how: "venv" })).toBe(false);
  expect(readFileSync(path(), "utf8")).toBe("### env: train@1a2b3c4d\n- how: venv\n");
  expect(list()).toEqual(["local.md"]);
});

it("two writers lose nothing of each other, and leave no lock", async () => {
  const script = join(folder(), "writer.mjs");
  execFileSync(
    join(checkout, "node_modules", ".bin", "esbuild"),
    [
      "--bundle",
      "--platform=node",
      "--format=esm",
      "--loader=ts",
      "--log-level=error",
      `--outfile=${script}`,
    ],
    { cwd: checkout, input: WRITER },
  );
  write("# Mine\n");
  const ends = ["one", "two"].map((who) => {
    const writer = spawn(process.execPath, [script, path(), who, "40"], { stdio: "inherit" });
    return new Promise((resolve) => writer.once("exit", resolve));
  });
  expect(await Promise.all(ends)).toEqual([0, 0]);
  const { blocks, warnings } = parseLedger(readFileSync(path()));
  expect(warnings).toEqual([]);
  expect(blocks).toHaveLength(1);
  const expected = ["one", "two"].flatMap((who) => Array.from({ length: 40 }, (_, at) => `${who} ${at}`));
  expect([...(blocks[0]?.gotchas ?? [])].sort()).toEqual(expected.sort());
  expect(list()).toEqual(["local.md"]);
});

it("keeps the mode and the link", async () => {
  mkdirSync(join(folder(), ".aris", "compute"), { recursive: true });
  const real = join(folder(), "shared.md");
  symlinkSync(real, path());
  await saveBlock(path(), { ...KEY, how: "venv" });
  chmodSync(real, 0o666);
  await saveBlock(path(), { ...KEY, tier: "2" });
  expect(readFileSync(real, "utf8")).toContain("- tier: 2");
  expect(statSync(real).mode & 0o777).toBe(0o666);
  expect(readdirSync(folder()).sort()).toEqual([".aris", "shared.md"]);
});

it("breaks a lock whose writer was killed, also while it broke another's", async () => {
  write("");
  const dead = { ...loadOwnIdentity(), start: "1" };
  const lock = join(folder(), ".aris", "compute", ".local.md.lock");
  writeFileSync(lock, JSON.stringify({ ...dead, token: "first" }));
  writeFileSync(`${lock}.first`, JSON.stringify({ ...dead, token: "second" }));
  await saveBlock(path(), { ...KEY, how: "venv" });
  expect(list()).toEqual(["local.md"]);
});

it.each<[string, string, () => void]>([
  ["a living writer", "ledger_busy", () => lockAs({ ...loadOwnIdentity(), token: "x" })],
  [
    "a writer elsewhere",
    "ledger_busy",
    () => lockAs({ ...loadOwnIdentity(), host: "elsewhere", token: "x" }),
  ],
  ["a merge conflict", "ledger_conflict", () => write("# L\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> c\n")],
  ["another encoding", "ledger_unreadable", () => write("#\0 \0L\0")],
  ["a folder in its place", "ledger_unreadable", () => mkdirSync(path(), { recursive: true })],
  ["links in a circle", "ledger_unwritable", () => linkInCircle()],
  ["a file for a folder", "ledger_unwritable", () => writeFileSync(join(folder(), ".aris"), "")],
])("%s: %s, and nothing is changed", async (_, code, prepare) => {
  prepare();
  const wanted = { ...KEY, how: "venv" };
  await expect(saveBlock(path(), wanted, { patienceMs: 50 })).rejects.toMatchObject({ code });
});

it("refuses a secret, and does not repeat it", async () => {
  const token = `hf_${"a1".repeat(17)}`;
  const fault = await saveBlock(path(), { ...KEY, gotchas: ["fine", `log in with ${token}`] }).catch(
    (thrown) => thrown,
  );
  expect(fault).toMatchObject({ code: "ledger_secret" });
  expect(fault.message).toMatch(/`gotcha`.*Hugging Face/);
  expect(fault.message + fault.hint).not.toContain(token);
  expect(readdirSync(folder())).toEqual([]);
});

const lockAs = (holder: object) => {
  write("");
  writeFileSync(join(folder(), ".aris", "compute", ".local.md.lock"), JSON.stringify(holder));
};
const linkInCircle = () => {
  write("");
  const loop = join(folder(), "loop.md");
  symlinkSync(loop, loop);
  execFileSync("ln", ["-sf", loop, path()]);
};
