import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { describeSend, summarizeSend } from "./describe-send.ts";
import { planSend, type SendPlan } from "./plan-send.ts";

const folder = useTempFolder();

/** Files by path and size, without content on disk. */
function makeFiles(files: Readonly<Record<string, number>>) {
  for (const [path, bytes] of Object.entries(files)) {
    const place = join(folder(), path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, "");
    truncateSync(place, bytes);
  }
}

const plan = (results: string[] = []): Promise<SendPlan> =>
  planSend(makeLocalRunner(), {
    ...{ source: folder(), results, include: [], exclude: [], copies: [], env: process.env },
  });

const describePlan = async (results: string[] = []) =>
  describeSend(summarizeSend(await plan(results))).map((line) => line.replace(folder(), "PROJECT"));

it("says where it comes from, what is largest, and what is left out, secrets first", async () => {
  makeFiles({ "a.py": 1200, "pkg/b.py": 300, ".env": 23, "data/1/x.csv": 5_000_000, "data/y.csv": 0 });
  makeFiles({ "pkg/m.pt": 4_000, "pkg/n.pt": 2_000, "one.npz": 7, "odd\n\x1b[1m.py": 1 });
  symlinkSync("/etc/hosts", join(folder(), "hosts"));
  expect(await describePlan()).toEqual([
    "from PROJECT: it is not in git",
    "largest: a.py 1.2 kB, pkg/b.py 300 B, hosts 10 B, odd\\n\\x1b[1m.py 1 B",
    "left out: 6 files, 5.0 MB",
    "  .env: 23 B (looks like a secret)",
    "  data/: 2 files, 5.0 MB (data, checkpoints or output)",
    "  in pkg/: 2 files, 6.0 kB (a checkpoint or array, by its name)",
    "  one.npz: 7 B (a checkpoint or array, by its name)",
    "Links that lead out of the project are sent as links, without what they lead to: hosts -> /etc/hosts.",
  ]);
});

it("takes twelve lines for whatever it is", async () => {
  makeFiles({ "a.py": 1, "b.py": 2 });
  for (let top = 1; top <= 30; top += 1) makeFiles({ [`top-${top}/a.pt`]: top, [`top-${top}/b.pt`]: top });
  const lines = await describePlan();
  expect(lines).toHaveLength(9);
  expect(lines.slice(2)).toEqual([
    "left out: 60 files, 930 B",
    ...[30, 29, 28, 27, 26].map(
      (top) => `  in top-${top}/: 2 files, ${2 * top} B (a checkpoint or array, by its name)`,
    ),
    "  and more: 50 files, 650 B",
  ]);
  const sent = summarizeSend(await plan());
  expect(describeSend({ ...sent, notes: ["1", "2", "3", "4"] }).slice(-2)).toEqual(["1", "and 3 notes more"]);
  expect(describeSend({ ...sent, notes: ["1", "2", "3", "4"] }).length).toBeLessThanOrEqual(12);
});

it("lists 200 files at most for programs", async () => {
  for (let index = 0; index < 1_000; index += 1)
    makeFiles({ [`p/${index}.py`]: index, [`m/${index}.pt`]: index });
  const document = summarizeSend(await plan());
  expect(document).toMatchObject({ files: 1_000, leftOut: { files: 1_000, bytes: 499_500, exact: true } });
  expect(document.listed).toHaveLength(200);
  expect(document.listed[0]).toEqual({ path: "p/999.py", bytes: 999 });
  expect(document.leftOut.listed).toHaveLength(200);
  expect(document.leftOut.listed[0]).toMatchObject({ path: "m/999.pt", bytes: 999 });
  expect(document.leftOut.listed[199]).toMatchObject({ path: "m/800.pt" });
});

it("refuses what is too much for code, with the largest files named", async () => {
  for (let index = 0; index < 45; index += 1) makeFiles({ [`part-${index}`]: 45_000_000 + index });
  await expect(plan()).rejects.toMatchObject({
    code: "sync_too_much",
    message:
      "2.0 GB in 45 files would be sent, more than 2.0 GB or 200,000 files; the largest: " +
      "part-44 (45.0 MB), part-43 (45.0 MB), part-42 (45.0 MB), part-41 (45.0 MB), part-40 (45.0 MB).",
  });
  expect(await describePlan(["part-*"])).toHaveLength(3);
});
