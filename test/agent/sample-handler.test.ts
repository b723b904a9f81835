import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Decoder, encode } from "@msgpack/msgpack";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkAction } from "../../src/payload/check-action.ts";
import { makeObservation, makeRestingState } from "../../src/payload/make-observation.ts";
import { readObservation } from "../../src/payload/observation.ts";
import { robots } from "../../src/payload/robots.ts";
import { PYTHON_DOOR, useContestant } from "../support/contestant.ts";

const contestant = useContestant();

/** Calls a function of a file beside the door on each of some texts of bytes; a fault is the text `fault: …`. */
async function callPython(
  expression: string,
  inputs: readonly Uint8Array[],
  env: Record<string, string> = {},
): Promise<Buffer[]> {
  const file = join(contestant.temp(), "inputs");
  writeFileSync(file, JSON.stringify(inputs.map((bytes) => Buffer.from(bytes).toString("base64"))));
  const program = `
import base64, json, sys
import example_inference, tiny_msgpack
def answer(data):
    try: return ${expression}
    except ValueError as fault: return f"fault: {fault}".encode()
for text in json.load(open(sys.argv[1])): print(base64.b64encode(answer(base64.b64decode(text))).decode())
`;
  const { exitCode, output } = await contestant.run(["python3", "-c", program, file], {
    cwd: PYTHON_DOOR,
    env: { PYTHONDONTWRITEBYTECODE: "1", ...env },
  });
  expect(exitCode, output).toBe(0);
  return output
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => Buffer.from(line, "base64"));
}

const picture = { jpeg: Uint8Array.of(0xff, 0xd8, 0xff, 0xd9), height: 2, width: 2 };

function makeLook(robotType: string, policyRng?: number): Uint8Array {
  const state = makeRestingState(robotType);
  return makeObservation({
    robotType,
    timeNs: 1_700_000_000_123_456_789n,
    pictures: { head: picture, hand_left: picture, hand_right: picture },
    state: { ...state, armJoints: state.armJoints.map((_, index) => index / 10) },
    prompt: "pick the cup",
    taskName: "pick",
    episodeIndex: 1,
    policyRng,
  });
}

const answerAll = (looks: readonly Uint8Array[], env?: Record<string, string>) =>
  callPython('example_inference.handle("s", data)', looks, env);

interface Answer {
  readonly result: { readonly left_effector: readonly number[][] };
}

const readAnswer = (action: Uint8Array) => (new Decoder().decode(action) as Answer).result;

describe("the sample handler", () => {
  it.each([
    ["instruction", 50],
    ["manip", 30],
  ])("holds every robot still, as the board %s wants it", async (board, steps) => {
    const looks = [...Object.keys(robots), "a new robot"].map((robot) => makeLook(robot, 7));
    const actions = await answerAll(looks, { SORTIE_BOARD: board });
    for (const [index, action] of actions.entries()) {
      const { state } = readObservation(looks[index] as Uint8Array);
      const issues = checkAction(action, { state, board });
      expect(issues.map(({ name }) => name)).toEqual(["constant-dimension"]);
      expect(readAnswer(action).left_effector).toHaveLength(steps);
    }
  });

  it("leaves a gripper as it is, in the unit that its robot is told in", async () => {
    const looks = ["G1_omnipicker", "G2_omnipicker"].map((robot) => makeLook(robot));
    const grips = (await answerAll(looks)).map((action) => readAnswer(action).left_effector[0]?.[0]);
    // 46.8 of 0 to 93.6 is v = 0.78 * (0.78 - 0.39), and an action of 1 - v / 0.78.
    expect(grips).toEqual([expect.closeTo(0.61), expect.closeTo(-0.3925)]);
  });

  it("answers the warm-up empty, and what it does not know as it came", async () => {
    const others = [
      new Uint8Array(),
      Buffer.from("look"),
      encode({ params: 1 }),
      encode([1]),
      Uint8Array.of(0xc1),
    ];
    expect(await answerAll(others)).toEqual(others.map((bytes) => Buffer.from(bytes)));
  });
});

describe("tiny_msgpack", () => {
  const repack = (inputs: readonly Uint8Array[]) =>
    callPython("tiny_msgpack.packb(tiny_msgpack.unpackb(data))", inputs);
  const decoder = new Decoder({ useBigInt64: true });

  it("gives back every value that the challenge can send", async () => {
    const leaf = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.double({ noNaN: true }),
      // Smaller ones are packed shorter, and come back as plain numbers.
      fc.bigInt({ min: 2n ** 32n, max: 2n ** 64n - 1n }),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 32n) }),
      fc.integer(),
      fc.string({ unit: "binary" }),
      fc.uint8Array(),
    );
    // JavaScript's decoder refuses this one key.
    const key = fc.string().filter((text) => text !== "__proto__");
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value")), fc.dictionary(key, tie("value"))),
    }));
    const packed = fc.sample(value, 500).map((one) => encode(one, { useBigInt64: true }));
    const back = await repack(packed);
    for (const [index, bytes] of back.entries())
      expect(decoder.decode(new Uint8Array(bytes))).toEqual(decoder.decode(packed[index] as Uint8Array));
  });

  it("has a head for every length", async () => {
    const lengths = [0, 15, 16, 31, 32, 255, 256, 65_535, 65_536];
    const values = lengths.flatMap((length) => [
      "x".repeat(length),
      new Uint8Array(length),
      new Array(length).fill(1),
    ]);
    const packed = values.map((one) => encode(one));
    expect(await repack(packed)).toEqual(packed.map((bytes) => Buffer.from(bytes)));
  });

  it("says that anything else is not msgpack", async () => {
    const bad = ["", "dc", "a5616263", "c403", "c1", "d40100", "0000", "81", "8190c0", "a1ff"];
    const answers = await repack(bad.map((hex) => Buffer.from(hex, "hex")));
    expect(answers.map((answer) => answer.toString())).toEqual(
      bad.map(() => expect.stringMatching(/^fault: this is not msgpack/)),
    );
  });
});
