import { join } from "node:path";
import { expect, it } from "vitest";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const finish = async (name: string, command: readonly string[] = ["true"]) => {
  const { id } = await sortie.launch(command, ["--name", name]);
  return sortie.ask(["wait", id]);
};
const read = async (...args: string[]) => (await sortie.run(args)).stdout;

it("ls quotes the command, and tells two runs of one name apart", async () => {
  const first = await finish("same", ["sh", "-c", "exit 0"]);
  expect(await read("ls")).toMatch(/^NAME .*\nsame .* sh -c 'exit 0'\n$/);
  const second = await finish("same");
  const [header, ...rows] = (await read("ls")).trim().split("\n");
  expect(header).toMatch(/^ID +NAME +STATE/);
  expect(rows.map((row) => row.split(/ +/)[0])).toEqual([second.id, first.id]);
});

it("show tells times as the clock here does, and of an ended run nothing that is over", async () => {
  const live = await sortie.launch(["sleep", "60"], ["--name", "live", "--grace", "1"]);
  expect(await read("show", live.id)).toMatch(/\n {2}process +\d+\n/);
  await sortie.run(["stop", live.id]);
  const shown = await read("show", live.id);
  expect(shown).toMatch(/\n {2}ended +\d{4}-\d\d-\d\d \d\d:\d\d \(\d+ s ago\)\n/);
  expect(shown).toMatch(/\n {2}state +stopped after [^:\n]*\n/);
  expect(shown).not.toMatch(/\n {2}(process|screen|waits for) /);
  expect((await sortie.show(live.id)).endedAt).toMatch(/Z$/);
});

it("clean names few runs, counts many, and shows no paths", async () => {
  await finish("one");
  await finish("two");
  const few = await sortie.run(["clean", "--older-than", "0"]);
  expect(few.stdout).toContain("  forget two (succeeded), one (succeeded), with job folder and record\n");
  expect(few.stdout).not.toContain(join(sortie.home(), "jobs"));
});
