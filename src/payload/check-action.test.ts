import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ActionDraft,
  changeColumn,
  makeAction,
  makePoses,
  makeRows,
  packAction,
  readRecorded,
  standing,
} from "../../test/support/actions.ts";
import { damagedFrameCount, damageSeed, makeDamagedFrames } from "../../test/support/damage-frames.ts";
import { actionRules, checkAction, checkReply, openpiRules } from "./check-action.ts";
import { makeErrorEnvelope } from "./error-envelope.ts";
import { pack } from "./pack.ts";
import { findSkippedRules } from "./rule.ts";
import { unpack } from "./unpack.ts";

describe("actions that break no rule", () => {
  it.each(["g2-action-50x16", "g2-action-30x21", "g2-action-float32"])("are those of Python: %s", (name) => {
    const { robotType, armJoints } = standing;
    expect(checkAction(readRecorded(name), { state: { robotType, armJoints } })).toEqual([]);
  });

  it("are poses with a waist and with all that may be asked for", () => {
    const edit = (action: ActionDraft) => {
      makePoses(action);
      Object.assign(action.result, {
        waist: { kind: "ABS_JOINT", values: makeRows(50, 5, (step, joint) => 0.01 * step * (joint + 1)) },
        head: makeRows(50, 2, (step) => 0.01 * step),
        history: { interval: 5, last_n: 3, resolution: [224, 224] },
        need_depth: true,
        policy_rng: 7,
      });
    };
    const context = { state: { ...standing, policyRng: 7 }, board: "instruction" };
    expect(checkAction(packAction(edit), context)).toEqual([]);
  });

  it("are written in floats alone, and with an integer of 64 bits among them", () => {
    expect(checkAction(pack(makeAction(), { forceFloat: true }), { state: standing })).toEqual([]);
    const bytes = packAction(({ result }) => Object.assign(result.left_effector, { 3: [0n] }));
    expect(checkAction(bytes, { state: standing })).toEqual([]);
  });
});

describe("T26 what a handler gets wrong", () => {
  it.each<[string, string, () => Uint8Array, string]>([
    [
      "a numpy-style map",
      "no-ndarray",
      () => readRecorded("openpi-action"),
      "result.left_arm.values is a numpy array",
    ],
    [
      "wrong widths",
      "arm-width",
      () => packAction(({ result }) => result.left_arm.values[0]?.push(1)),
      "result.left_arm.values[0] has 8 numbers",
    ],
    ["NaN", "finite", () => readRecorded("nan-action"), "result.right_arm.values[1][2] is NaN"],
    [
      "unequal horizons",
      "equal-horizon",
      () => packAction(({ result }) => result.right_arm.values.pop()),
      "result.right_arm.values has 49 steps",
    ],
    [
      "an ext type",
      "no-ext",
      () => readRecorded("ext-action"),
      "result.left_arm.values is a msgpack ext value of type 1",
    ],
    [
      "an empty error",
      "error-envelope",
      () => pack({ error: "" }),
      'error is the text "", so the simulator goes on',
    ],
    [
      "empty values",
      "horizon-range",
      () => packAction(({ result }) => result.left_arm.values.splice(0)),
      "result.left_arm.values is empty",
    ],
  ])("%s: %s", (_, rule, make, sentence) => {
    const hard = checkAction(make(), { state: standing }).filter(({ level }) => level === "hard");
    expect(hard.map(({ name }) => name)).toEqual([rule]);
    expect(hard[0]?.sentence).toContain(sentence);
  });
});

it.each([
  [
    "openpi-action",
    "no-ndarray",
    /^result\.left_arm\.values is a numpy array in openpi's form: call \.tolist\(\)/,
  ],
  [
    "openpi-scalar-action",
    "no-ndarray",
    /^result\.left_arm\.values\[1\]\[3\] is a single numpy number .* \.item\(\)/,
  ],
  [
    "msgpack-numpy-action",
    "no-ndarray",
    /^result\.left_arm\.values is a numpy array in msgpack-numpy's form/,
  ],
  ["gr00t-action", "no-ndarray", /^result\.left_arm\.values is a numpy array in GR00T's form/],
  ["vla-eval-action", "no-ndarray", /^result\.left_arm\.values is a numpy array in vla-eval's form/],
  ["ext-action", "no-ext", /^result\.left_arm\.values is a msgpack ext value of type 1/],
  ["time-action", "no-ext", /^at is a msgpack timestamp: send a number/],
])("a dialect is called by its name: %s", (name, rule, sentence) => {
  const issues = checkAction(readRecorded(name));
  expect(issues.map((issue) => issue.name)).toEqual([rule]);
  expect(issues[0]?.sentence).toMatch(sentence);
});

describe("the table of rules", () => {
  it("lets a rule need only rules above it, and names each once", () => {
    const names = actionRules.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [row, { needs = [] }] of actionRules.entries()) {
      expect(names.slice(0, row)).toEqual(expect.arrayContaining([...needs]));
    }
  });

  it("tells which rules were not asked", () => {
    expect(findSkippedRules(actionRules, ["horizon-range"])).toContain("finite");
    expect(findSkippedRules(actionRules, ["plain-msgpack"])).toHaveLength(actionRules.length - 2);
    expect(findSkippedRules(actionRules, ["step-jump"])).toEqual([]);
  });

  it("leaves out the soft look at every number where speed counts", () => {
    const bytes = packAction(({ result }) => changeColumn(result.left_effector, 0, () => 33.6));
    expect(checkAction(bytes, { state: standing }, { deep: false })).toEqual([]);
    expect(actionRules.filter(({ deep }) => deep).every(({ level }) => level === "soft")).toBe(true);
  });
});

it("a reply is checked as its observation's kind wants it", () => {
  expect(checkReply("openpi", readRecorded("openpi-reply"))).toEqual([]);
  expect(checkReply("g2", readRecorded("openpi-reply")).map(({ name }) => name)).toEqual(["no-ndarray"]);
  expect(checkReply("openpi", pack({ action: [] })).map(({ name }) => name)).toEqual(["actions-present"]);
  expect(checkReply("opaque", new Uint8Array())).toEqual([]);
  expect(openpiRules.map(({ name }) => name)).toEqual([
    "binary-frame",
    "plain-msgpack",
    "reply-size",
    "actions-present",
  ]);
});

it("an error envelope always says something, shortly and without control characters", () => {
  const read = (message: string) =>
    (unpack(makeErrorEnvelope(message)) as { value: { error: string } }).value.error;
  expect(read("\u001b[31mno camera\n")).toBe("\\x1b[31mno camera");
  expect(read(" ")).toBe("the handler failed without a word");
  expect(read("x".repeat(10_000))).toHaveLength(2000);
});

describe("bytes of any kind", () => {
  it("never make the check throw", () => {
    const leaf = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.double(),
      fc.bigInt({ min: 0n, max: 2n ** 60n }),
      fc.string(),
      fc.uint8Array(),
    );
    const odd = fc.oneof(
      leaf,
      fc.array(leaf),
      fc.array(fc.array(leaf)),
      fc.dictionary(fc.string(), leaf, { noNullPrototype: true }),
    );
    const place = fc.constantFrom(
      "left_arm",
      "right_arm",
      "left_effector",
      "waist",
      "head",
      "history",
      "base_link",
      "need_depth",
    );
    fc.assert(
      fc.property(
        place,
        fc.oneof(odd, fc.record({ kind: odd, values: odd, base_link: odd, interval: odd })),
        (key, value) => {
          const action = makeAction(3);
          Object.assign(action.result, { [key]: value });
          checkAction(pack(action), { state: standing });
        },
      ),
    );
  });

  it(`never make it throw where ${damagedFrameCount} actions are damaged, seed ${damageSeed}`, () => {
    const samples = [
      pack(makeAction(2)),
      ...["openpi-action", "ext-action", "gr00t-action"].map(readRecorded),
    ];
    let tried = 0;
    for (const bytes of makeDamagedFrames(samples, damageSeed)) {
      for (const { sentence } of checkAction(bytes, { state: standing }))
        if (sentence === "") expect.fail(`frame ${tried}`);
      tried += 1;
      if (tried === damagedFrameCount) break;
    }
  });
});
