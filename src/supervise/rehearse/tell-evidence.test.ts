import { expect, it } from "vitest";
import {
  makeExchange,
  makeGoodEvidence,
  makeProbe,
  makeTunnel,
} from "../../../test/support/made-up-evidence.ts";
import { setDyingWordsApart } from "./tell-evidence.ts";

const error = {
  level: "hard" as const,
  name: "error-envelope",
  path: "error",
  sentence: "error ends the episode",
};
const good = makeExchange({ sentAtMs: 1000 });
const failed = (sentAtMs: number) => makeExchange({ sentAtMs, issues: [error] });
const closedAt = (atMs: number, during: "empty_frame" | "drain" = "empty_frame") => [
  makeTunnel({ closes: [{ atMs, code: 1001, during }], drain: undefined }),
];

it("errors right before an agent goes away are no answers, and what was tried then was not tried", () => {
  const before = makeProbe("junk_control", { atMs: 1100 });
  const after = makeProbe("empty_frame", { atMs: 1300, survived: false });
  const evidence = makeGoodEvidence({
    exchanges: [good, failed(1200), failed(1400)],
    probes: [before, after],
    tunnels: closedAt(1500),
  });
  const { exchanges, probes, tunnels } = setDyingWordsApart(evidence);
  expect(exchanges.map(({ outcome }) => outcome)).toEqual(["answered", "lost", "lost"]);
  expect(exchanges.flatMap(({ issues }) => issues)).toEqual([]);
  expect(probes).toEqual([before]);
  expect(tunnels[0]?.closes[0]?.during).toBe("observation");
});

it("errors of an agent that stays, or is drained, are answers", () => {
  for (const tunnels of [closedAt(9000), closedAt(1500, "drain")]) {
    const evidence = makeGoodEvidence({ exchanges: [good, failed(1200)], tunnels });
    expect(setDyingWordsApart(evidence)).toEqual(evidence);
  }
});
