import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const planned = ["run", "--target", "local", "--", "sh", "-c", "echo $KEY"];

describe.each(["{}", "[]", "null", "{"])("a file of Sortie's own that holds %s", (text) => {
  it("is no watcher's card: every command goes on, and a new watcher writes its own", async () => {
    await sortie.ask(["ls"]);
    const card = join(sortie.home(), "watcher.json");
    writeFileSync(card, text);
    for (const command of ["ls", "doctor"]) expect(await sortie.ask([command])).toMatchObject({ exit: 0 });
    const { id } = await sortie.launch(["true"]);
    expect(await sortie.ask(["wait", id])).toMatchObject({ exit: 0, state: "succeeded" });
  });

  it("holds no variables of a plan: it is refused as stale, and nothing runs", async () => {
    const { plan } = await sortie.ask([...planned.slice(0, 3), "--env", "KEY=1", ...planned.slice(3)]);
    writeFileSync(join(sortie.home(), "plans", plan.id, "variables.json"), text);
    const refused = await sortie.ask(["confirm", plan.id]);
    expect(refused).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect((await sortie.ask(["ls"])).runs).toEqual([]);
  });
});
