import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { findHome } from "../disk/home.ts";
import { loadOwnIdentity } from "../process/identity.ts";
import { readWatcherCard, writeWatcherCard } from "./watcher-card.ts";

const folder = useTempFolder();

it("a card that no watcher wrote is none", () => {
  const home = findHome({ SORTIE_HOME: folder() });
  writeWatcherCard(home, loadOwnIdentity(), new Date());
  const card = readWatcherCard(home);
  expect(card).toMatchObject({ identity: { pid: process.pid } });
  const others = ["", "{", "null", "[]", '"text"', "{}", '{"identity":{}}'];
  for (const key of ["schema", "since", "identity"]) others.push(JSON.stringify({ ...card, [key]: null }));
  for (const text of others) {
    writeFileSync(home.watcherFile, text);
    expect(readWatcherCard(home)).toBeNull();
  }
});
