import { expect, test } from "vitest";
import { makeAction, packAction, readRecorded } from "../../test/support/actions.ts";
import { makeRandom } from "../../test/support/random.ts";
import { checkAction } from "../payload/check-action.ts";
import { pack } from "../payload/pack.ts";
import { hasShape, learnShape, type ReplyShape } from "./reply-shape.ts";

const action = makeAction();
const reply = pack(action, { forceFloat: true });
const shape = learnShape(reply) as ReplyShape;

test("an action with other numbers has the same shape", () => {
  const other = makeAction();
  for (const row of other.result.left_arm.values) row[3] = Math.PI;
  expect(hasShape(shape, pack(other, { forceFloat: true }))).toBe(true);
  expect(shape.floatsAt.length).toBe(50 * 16);
});

test("what breaks a hard rule, or is built otherwise, has another", () => {
  const changes: [string, Uint8Array][] = [
    ["not finite", packAction((draft) => draft.result.left_arm.values[9]?.fill(Number.NaN))],
    ["too large", packAction((draft) => draft.result.left_effector[9]?.fill(1e4))],
    ["a step less", pack(makeAction(49), { forceFloat: true })],
    ["a key more", pack({ ...makeAction(), need_depth: true }, { forceFloat: true })],
    ["another kind", packAction((draft) => Object.assign(draft.result.left_arm, { kind: "JOINT_REL" }))],
    ["cut off", reply.subarray(0, -1)],
    ["empty", new Uint8Array()],
  ];
  for (const [name, bytes] of changes) expect(hasShape(shape, bytes), name).toBe(false);
});

test("an action as Python packs it has a shape; what is no action, or holds blobs, has none", () => {
  expect(learnShape(pack({ result: Array.from({ length: 20 }, () => 0.5) }))).toBeDefined();
  expect(
    learnShape(pack({ numbers: Array.from({ length: 20 }, () => 0.5), blob: new Uint8Array(3) })),
  ).toBeUndefined();
  expect(learnShape(pack({ error: "none" }))).toBeUndefined();
  expect(learnShape(readRecorded("openpi-action"))).toBeUndefined();
});

test("whatever bytes are changed, what has the shape passes the hard rules too", () => {
  const random = makeRandom(7);
  let kept = 0;
  for (let round = 0; round < 3000; round += 1) {
    const changed = reply.slice();
    for (let change = 0; change < 3; change += 1)
      changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
    if (!hasShape(shape, changed)) continue;
    kept += 1;
    expect(checkAction(changed).filter(({ level }) => level === "hard")).toEqual([]);
  }
  expect(kept).toBeGreaterThan(500);
});
