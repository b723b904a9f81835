import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { openStore } from "./open-store.ts";

const folder = useTempFolder();

it("waits no longer for a writer than it was told, reads meanwhile, and writes once the other is done", () => {
  const [store, other] = [0, 1].map(() => openStore(join(folder(), "sortie.db"))) as [Opened, Opened];
  for (const one of [store, other]) onTestFinished(() => one.close());
  const insert = () => store.change("INSERT INTO plans VALUES ('p', '', '', NULL, '')");
  store.limitWait(50);
  other.together(() => {
    const fromMs = performance.now();
    const busy = { code: "store_busy", details: expect.objectContaining({ seconds: 0.05 }) };
    expect(insert).toThrow(expect.objectContaining(busy));
    expect(() => store.together(insert)).toThrow(expect.objectContaining(busy));
    expect(store.list("SELECT * FROM plans")).toEqual([]);
    expect(performance.now() - fromMs).toBeLessThan(5_000);
  });
  expect(insert()).toBe(1);
});

type Opened = ReturnType<typeof openStore>;
