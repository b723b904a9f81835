import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
type Finding = { what: string; level: string; detail: string; advice: string | null };

async function examine(options: { env?: Record<string, string> } = {}) {
  const { exit, ok, findings } = await sortie.ask(["doctor"], options);
  const find = (what: string): Finding => findings.find((finding: Finding) => finding.what === what);
  return { exit, ok, find };
}

describe("doctor", () => {
  it("looks and makes nothing where Sortie has not run yet", async () => {
    const { exit, find } = await examine();
    expect(exit).toBe(0);
    expect(find("home folder").detail).toContain("made at the first run");
    expect(find("database").detail).toContain("made at the first run");
    expect(existsSync(sortie.home())).toBe(false);
  });

  it("tells of a database that is damaged inside, and of all else", async () => {
    expect(await sortie.ask(["run", "--target", "local", "--yes", "--", "true"])).toMatchObject({ exit: 0 });
    await sortie.waitForState((await sortie.ask(["ls"])).runs[0].id, ["succeeded"]);
    await sortie.runner.run([process.execPath, "-e", CHECKPOINT, join(sortie.home(), "sortie.db")], {
      timeoutMs: 10_000,
    });
    const path = join(sortie.home(), "sortie.db");
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4096);
    writeFileSync(path, bytes);
    const { exit, ok, find } = await examine();
    expect({ exit, ok }).toEqual({ exit: 5, ok: false });
    expect(find("database")).toMatchObject({ level: "bad", advice: expect.stringContaining("sortie adopt") });
    for (const what of ["home folder", "sh", "GPUs"]) expect(find(what)).toBeDefined();
  });

  it("says that a tool is missing, sh as well", async () => {
    const tools = join(sortie.temp(), "tools");
    mkdirSync(tools);
    symlinkSync("/bin/cat", join(tools, "tee"));
    const { exit, find } = await examine({ env: { PATH: tools } });
    expect(exit).toBe(5);
    expect(find("sh")).toMatchObject({ level: "bad", detail: expect.stringContaining("not found") });
    expect(find("tee")).toMatchObject({ level: "ok", detail: join(tools, "tee") });
    const both = await examine({ env: { PATH: [tools, process.env["PATH"]].join(delimiter) } });
    expect(both.find("sh").level).toBe("ok");
  });

  it("warns of a home folder that others can write, which no command changes", async () => {
    mkdirSync(sortie.home());
    chmodSync(sortie.home(), 0o1777);
    const { exit, find } = await examine();
    expect(exit).toBe(0);
    expect(find("home folder")).toMatchObject({ level: "warning", detail: expect.stringContaining("write") });
  });
});

const CHECKPOINT = `const Database = require("libsql"); const database = new Database(process.argv[1]);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)"); database.close();`;
