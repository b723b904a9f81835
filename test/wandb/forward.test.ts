import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { waitFor } from "../support/wait-for.ts";
import { PYTHON_WITH_WANDB, useWandbProject } from "../support/wandb-project.ts";

const project = useWandbProject();
const { configure, run, ask, path, listOffline, readOffline } = project;
const ON = ["wandb: true", "wandb_project: digits", "wandb_entity: team"];

/** It has no loop that could be written into, and prints what it learns. */
const SCRIPT = `class Experiment:
    for step in range(3):
        print("step %d loss %.1f" % (step * 10, 3 - step))
print("step 20 eval_acc 0.5")
print("step 20 eval_loss nan")
`;
const addRefused = () => writeFileSync(path("train.py"), SCRIPT);
const isDone = (id: string) => !existsSync(join(project.sortie.home(), "forward", `${id}.json`));
const waitUntilForwarded = (id: string) => waitFor(() => isDone(id));
const COMMAND = ["python", "train.py", "--lr", "0.1", "--name=a", "--api-key", "s3cret"];

it("makes an offline run of what a script printed that cannot be changed", async () => {
  configure(...ON);
  addRefused();
  const { plan } = await run([], COMMAND);
  expect(plan.terms.wandb).toMatchObject({
    ...{ way: "forward", change: null, mode: "offline", login: null, variables: {}, carried: [] },
    forwarder: join(dirname(PYTHON_WITH_WANDB), "wandb"),
  });
  expect(plan.terms.sideEffects.join("\n")).toMatch(
    /^forward the numbers of its log to W&B: no file is changed; keep them among its results/m,
  );
  expect(plan.notes.join("\n")).toMatch(
    /train\.py is left as it is: .*\n.*kept offline, as nobody is logged/,
  );
  const { run: done } = await ask(["confirm", plan.id]);
  await waitUntilForwarded(done.id);
  const shown = await ask(["show", done.id]);
  expect(shown).toMatchObject({
    ...{ notes: [expect.anything(), expect.anything()], wandb: { way: "forward", rows: 3 } },
  });
  expect(shown.wandb.link).toBe(`http://127.0.0.1:9/team/digits/runs/${done.id}`);
  expect(readFileSync(path("train.py"), "utf8")).toBe(SCRIPT);
  const [folder = "", ...more] = listOffline(join(shown.resultsFolder, "wandb"));
  expect(more).toEqual([]);
  expect(readdirSync(dirname(folder))).toHaveLength(1);
  const kept = readOffline(folder);
  expect(kept).toMatchObject({ id: done.id, name: done.name, project: "digits", exit: 0 });
  expect(kept.config).toEqual({ lr: 0.1, name: "a" });
  const rows = kept.history.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith("_"))),
  );
  expect(rows).toEqual([
    { step: 0, loss: 3 },
    { step: 10, loss: 2 },
    { step: 20, loss: 1, eval_acc: 0.5, eval_loss: "NaN" },
  ]);
});
