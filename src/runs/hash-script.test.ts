import { createHash } from "node:crypto";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findShells, linkTools } from "../../test/support/shells.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import { makeHashScript, parseHashAnswer } from "./hash-script.ts";

const temp = useTempFolder();

async function ask(shell: string, paths: readonly Buffer[], env = process.env) {
  const outcome = await makeLocalRunner().run([...shell.split(" "), "-s"], {
    ...{ stdin: makeHashScript(paths, "t0"), timeoutMs: 20_000, env },
  });
  return parseHashAnswer(outcome.stdout, paths.length, "t0");
}

const hash = (content: string) => createHash("sha256").update(content).digest("hex");
/** Every byte that a name may hold. */
const ANY_BYTE = Buffer.from(Array.from({ length: 254 }, (_, at) => at + 1).filter((byte) => byte !== 0x2f));

it.each(findShells())("L6 hashes files of any name, by %s", async (shell) => {
  const paths = ["-a", "b\nc", "größe", "d\\"]
    .map((name) => Buffer.from(join(temp(), name)))
    .concat(Buffer.concat([Buffer.from(`${temp()}/`), ANY_BYTE.subarray(0, 200)]))
    .concat(Buffer.concat([Buffer.from(`${temp()}/`), ANY_BYTE.subarray(100)]));
  for (const [index, path] of paths.entries()) writeFileSync(path, `content ${index}`);
  const hashes = await ask(shell, paths, { ...process.env, LC_ALL: "C" });
  expect(hashes).toEqual(paths.map((_, index) => hash(`content ${index}`)));
});

it.each(findShells())("says which are gone, by %s", async (shell) => {
  const paths = Array.from({ length: 900 }, (_, at) => Buffer.from(join(temp(), `a rather long name ${at}`)));
  for (const [index, path] of paths.entries()) if (index % 600 !== 7) writeFileSync(path, `${index}`);
  const hashes = await ask(shell, paths);
  expect(hashes).toEqual(paths.map((_, index) => (index % 600 === 7 ? "gone" : hash(`${index}`))));
});

it("uses what the host has", async () => {
  const path = Buffer.from(join(temp(), "it's"));
  writeFileSync(path, "x");
  const tools = ["sh", "cut", "sed", "grep", "perl"];
  const askWith = (name: string, more: string[]) =>
    ask("sh", [path], { ...process.env, PATH: linkTools(join(temp(), name), [...tools, ...more]) });
  expect(await askWith("one", ["shasum"])).toEqual([hash("x")]);
  expect(await askWith("two", ["openssl"])).toEqual([hash("x")]);
  expect(await askWith("three", [])).toEqual(["no_program"]);
});

it("follows links", async () => {
  writeFileSync(join(temp(), "a"), "x");
  symlinkSync("a", join(temp(), "b"));
  symlinkSync("nowhere", join(temp(), "c"));
  const paths = ["b", "c"].map((name) => Buffer.from(join(temp(), name)));
  expect(await ask("sh", paths)).toEqual([hash("x"), "gone"]);
});
