import { expect, it } from "vitest";
import { Undo } from "./undo.ts";

it("does every step, the last one first, and tells the first fault", async () => {
  const undo = new Undo();
  const done: string[] = [];
  const fail = (why: string) => () => {
    done.push(why);
    throw new RangeError(why);
  };
  undo.add(() => void done.push("lock"));
  undo.add(fail("records"));
  undo.add(async () => fail("doors")());
  await expect(undo.run()).rejects.toThrow("doors");
  expect(done).toEqual(["doors", "records", "lock"]);
  await undo.run();
  expect(done).toHaveLength(3);
});
