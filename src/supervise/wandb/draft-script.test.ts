import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { draftRemoval, draftScript } from "./draft-script.ts";

const folder = useTempFolder();

it("takes no line of a string out that ends like Sortie's own", async () => {
  const path = join(folder(), "train.py");
  writeFileSync(path, "import wandb  # sortie-wandb\nHELP = '''\nimport wandb  # sortie-wandb\n'''\n");
  const draft = await draftRemoval(path, folder());
  expect(draft).toMatchObject({
    kind: "refused",
    line: 3,
    reason: expect.stringContaining("within a string"),
  });
});

it("does not say of a script that it logs to W&B for a mere name", async () => {
  const path = join(folder(), "train.py");
  writeFileSync(path, "x = 1\nwandb = None\n");
  expect(await draftScript(path, folder())).toMatchObject({
    ...{ kind: "refused", line: 2, reason: "something of its own is called `wandb`, as the package is" },
  });
});
