import { expect, it } from "vitest";
import { checkObservation } from "../../payload/check-observation.ts";
import { readObservation, takeApart } from "../../payload/observation.ts";
import { boards, makeStudio } from "./make-studio.ts";

it.each(boards)(
  "observations for %s are what a simulator sends: depth at first, history later",
  async (board) => {
    const studio = await makeStudio({ board, payload: "g2" }, "real", new Date());
    const [opening, next] = [0, 1].map((step) => studio.draw({ episode: 2, step, number: 1_000_000 + step }));
    for (const shot of [opening, next]) {
      expect(checkObservation(shot?.bytes as Uint8Array)).toEqual([]);
      const { kind, state } = readObservation(shot?.bytes as Uint8Array);
      expect(kind).toBe("g2");
      expect(state).toMatchObject({ ...shot?.state, policyRng: expect.any(Number) });
    }
    const [first, later] = [opening, next].map((shot) => takeApart(shot?.bytes as Uint8Array));
    expect(first?.images).toHaveProperty("head_depth");
    expect(later?.images).not.toHaveProperty("head_depth");
    expect(first?.params).not.toHaveProperty("history");
    expect(later?.params).toHaveProperty("history");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the end of ASCII is meant
    expect(later?.params["prompt"]).toMatch(/[^\u0000-\u007f]/);
    expect(opening?.bytes.length).toBeGreaterThan(6_000_000);
    expect(next?.bytes.length).toBeGreaterThan(600_000);
  },
);

it("observations for openpi are in its dialect, and differ from step to step", async () => {
  const studio = await makeStudio({ board: "instruction", payload: "openpi" }, "real", new Date());
  const [one, other] = [0, 1].map((step) => studio.draw({ episode: 0, step, number: step }).bytes);
  expect(readObservation(one as Uint8Array).kind).toBe("openpi");
  expect(one).not.toEqual(other);
});
