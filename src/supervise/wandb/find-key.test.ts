import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { findKey } from "./find-key.ts";

const folder = useTempFolder();
const [FIRST, SECOND] = ["1".repeat(40), "2".repeat(40)];

it.each([
  ["gpu-server", SECOND],
  ["local-environment", FIRST],
  ["renamed", FIRST],
])("takes the key of the section %s first", async (target, key) => {
  const text = `## Local Environment\n- gpu: local\n- wandb_api_key: ${FIRST}\n## GPU Server\n- SSH: \`ssh box\`\n`;
  writeFileSync(join(folder(), "AGENTS.md"), `${text}- wandb_api_key: ${SECOND}\n`);
  const desk = { env: { HOME: folder(), SORTIE_HOME: join(folder(), "home") } };
  const found = await findKey(desk, "https://api.wandb.ai", folder(), target);
  expect(found).toEqual({ key, source: "the project's file" });
});
