import { describe, expect, it } from "vitest";
import {
  type ActionDraft,
  changeColumn,
  makeAction,
  makeRows,
  packAction,
} from "../../../test/support/actions.ts";
import { makeErrorEnvelope } from "../../payload/error-envelope.ts";
import { pack } from "../../payload/pack.ts";
import { compareActions } from "./compare-actions.ts";

const recorded = packAction(() => undefined);
const compare = (edit: (action: ActionDraft) => unknown, tolerance = 0) =>
  compareActions(recorded, packAction(edit), tolerance);

describe("actions", () => {
  it("of the same bytes are equal, whatever they are", () => {
    const equal = { isEqual: true, first: null, largest: {} };
    expect(compareActions(recorded, Buffer.from(recorded), 0)).toEqual(equal);
    expect(compareActions(Buffer.from("opaque"), Buffer.from("opaque"), 0)).toEqual(equal);
  });

  it("that are packed otherwise, or list their keys in another order, are equal", () => {
    const { result } = makeAction();
    const turned = Object.fromEntries(Object.entries(result).reverse());
    const other = pack({ result: turned }, { forceFloat: true });
    expect(Buffer.compare(recorded, other)).not.toBe(0);
    expect(compareActions(recorded, other, 0).isEqual).toBe(true);
    expect(compareActions(pack({ policy_rng: 7n }), pack({ policy_rng: 7 }), 0).isEqual).toBe(true);
  });

  it("that differ are told by the first place, and by how far each part is away", () => {
    const { isEqual, first, largest } = compare(({ result }) => {
      changeColumn(result.left_arm.values, 3, (value) => value + 0.25, 7);
      changeColumn(result.right_effector, 0, (value) => value - 0.5);
    });
    expect(isEqual).toBe(false);
    expect(first?.path).toBe("result.left_arm.values[7][3]");
    expect(Number(first?.replayed) - Number(first?.recorded)).toBeCloseTo(0.25);
    expect(Object.keys(largest)).toEqual(["left_arm", "right_effector"]);
    expect(largest.left_arm).toBeCloseTo(0.25);
    expect(largest.right_effector).toBeCloseTo(0.5);
  });

  it("are equal within a tolerance, and the distance is told all the same", () => {
    const shift = ({ result }: ActionDraft) =>
      changeColumn(result.right_arm.values, 0, (value) => value + 0.001);
    expect(compare(shift).isEqual).toBe(false);
    const { isEqual, largest } = compare(shift, 0.002);
    expect([isEqual, largest.right_arm?.toFixed(4)]).toEqual([true, "0.0010"]);
  });

  it.each<[string, (action: ActionDraft) => unknown, object]>([
    [
      "a part more",
      ({ result }) => Object.assign(result, { waist: { kind: "JOINT_ABS", values: [] } }),
      { path: "result.waist", recorded: "missing", replayed: "a map" },
    ],
    [
      "another number of steps",
      ({ result }) =>
        Object.assign(result, { left_effector: makeRows(30, 1, (step) => -0.4 - 0.005 * step) }),
      { path: "result.left_effector", recorded: "a list of 50", replayed: "a list of 30" },
    ],
    [
      "another kind",
      ({ result }) => Object.assign(result.left_arm, { kind: "EEF_ABS" }),
      { path: "result.left_arm.kind", recorded: 'the text "JOINT_ABS"', replayed: 'the text "EEF_ABS"' },
    ],
    [
      "a number that is none",
      ({ result }) => changeColumn(result.left_arm.values, 0, () => Number.NaN),
      { path: "result.left_arm.values[0][0]", replayed: "NaN" },
    ],
  ])("with %s are told by that", (_, edit, first) => {
    expect(compare(edit, 10)).toMatchObject({ isEqual: false, first });
  });

  it("that are an error, or no msgpack, differ from those that are not", () => {
    expect(compareActions(recorded, makeErrorEnvelope("no model"), 0).first).toMatchObject({
      path: "result",
    });
    const opaque = compareActions(Buffer.from("opaque one"), Buffer.from("opaque two"), 0);
    expect(opaque.first).toEqual({ path: "byte 7", recorded: "10 bytes", replayed: "10 bytes, but another" });
    expect(
      compareActions(Buffer.from("\xc1ab", "latin1"), Buffer.from("\xc1a", "latin1"), 0).first?.path,
    ).toBe("byte 2");
  });

  it("of numpy arrays in openpi's form are compared as numbers", () => {
    const makeArray = (values: readonly number[], dtype: "<f4" | "<f8") => {
      const data = Buffer.from(
        dtype === "<f4" ? new Float32Array(values).buffer : new Float64Array(values).buffer,
      );
      const key = (text: string) => Buffer.concat([Buffer.from([0xc4, text.length]), Buffer.from(text)]);
      const map = [key("__ndarray__"), pack(true), key("data"), pack(data), key("dtype"), pack(dtype)];
      const array = Buffer.concat([Buffer.from([0x84]), ...map, key("shape"), pack([1, values.length])]);
      return Buffer.concat([Buffer.from([0x81]), pack("actions"), array]);
    };
    const one = makeArray([0.5, 0.25, 1], "<f8");
    expect(compareActions(one, makeArray([0.5, 0.25, 1], "<f4"), 0).isEqual).toBe(true);
    expect(compareActions(one, makeArray([0.5, 0.75, 1], "<f4"), 0)).toEqual({
      ...{ isEqual: false, largest: { other: 0.5 } },
      first: { path: "actions[1]", recorded: "0.25", replayed: "0.75" },
    });
  });
});
