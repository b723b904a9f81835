import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { planSend } from "./plan-send.ts";
import { loadSendList, saveSendList } from "./send-list-file.ts";

const folder = useTempFolder();
const project = () => join(folder(), "project");
const list = () => join(folder(), "send.json");

const plan = () =>
  planSend(makeLocalRunner(), {
    ...{ source: project(), results: [], include: [], exclude: [], copies: [], env: process.env },
  });

function makeProject() {
  mkdirSync(project());
  writeFileSync(join(project(), "a\nb.py"), "1");
  writeFileSync(Buffer.concat([Buffer.from(`${project()}/latin-`), Buffer.from([0xe9])]), "1", {
    mode: 0o755,
  });
  symlinkSync("ü", join(project(), "link"));
}

describe("a list of what is sent", () => {
  it("comes back byte for byte from its file, which is its owner's", async () => {
    makeProject();
    const { source, files, bytes, hash } = await plan();
    saveSendList(list(), { source, files, bytes, hash });
    expect(statSync(list()).mode & 0o777).toBe(0o600);
    expect(loadSendList(list())).toEqual({ source, files, bytes, hash });
    expect(files.map(({ mode }) => mode)).toEqual([0o644, 0o755, 0o777]);
  });

  it("is not taken where it was changed, cut or is missing", async () => {
    makeProject();
    saveSendList(list(), await plan());
    const text = readFileSync(list(), "utf8");
    const damage = [
      text.replace('"link"', '"other"'),
      text.slice(0, -20),
      text.split("\n", 1).join(),
      "",
      "{}\n",
    ];
    for (const damaged of damage) {
      writeFileSync(list(), damaged);
      expect(() => loadSendList(list())).toThrow("cannot be used");
    }
    expect(() => loadSendList(join(folder(), "none"))).toThrow("cannot be used");
  });

  it("has another hash where a name, a content or the right to execute is another, and no other", async () => {
    makeProject();
    const { hash } = await plan();
    chmodSync(join(project(), "a\nb.py"), 0o600);
    expect((await plan()).hash).toBe(hash);
    chmodSync(join(project(), "a\nb.py"), 0o700);
    const executable = (await plan()).hash;
    writeFileSync(join(project(), "a\nb.py"), "2");
    const changed = (await plan()).hash;
    expect(new Set([hash, executable, changed]).size).toBe(3);
  });
});
