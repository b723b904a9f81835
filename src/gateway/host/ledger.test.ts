import { expect, it } from "vitest";
import { SortieError } from "../../base/error.ts";
import { Ledger } from "./ledger.ts";

function makeLedger() {
  const faults: string[] = [];
  const written: string[] = [];
  const ledger = new Ledger((why) => faults.push(why));
  return { ledger, faults, written, write: (text: string) => ledger.write(() => void written.push(text)) };
}

it("keeps what cannot be written now, in its order, and writes it once there is room", () => {
  const { ledger, faults, written, write } = makeLedger();
  let isFull = true;
  ledger.write(() => {
    if (isFull) throw new SortieError("home_unwritable", { path: "p", reason: "disk is full" });
    written.push("one");
  });
  write("two");
  expect([written, ledger.waiting, faults.length]).toEqual([[], 2, 1]);
  ledger.flush();
  expect([ledger.waiting, faults.length]).toEqual([2, 2]);
  isFull = false;
  ledger.flush();
  expect([written, ledger.waiting]).toEqual([["one", "two"], 0]);
});

it("lets what is refused for good hold up nothing", () => {
  const { ledger, faults, written, write } = makeLedger();
  ledger.write(() => {
    throw new RangeError("no such column");
  });
  write("two");
  expect([written, ledger.waiting, faults]).toEqual([["two"], 0, ["no such column"]]);
});

it("takes nothing once it is closed", () => {
  const { ledger, written, write } = makeLedger();
  write("one");
  ledger.close();
  write("two");
  expect(written).toEqual(["one"]);
});
