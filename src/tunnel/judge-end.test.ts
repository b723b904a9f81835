import { expect, test } from "vitest";
import { closeCodes } from "../wire/close-codes.ts";
import { agentTimers } from "./agent-options.ts";
import { isToldRefusal, judgeEnd, type PairHistory } from "./judge-end.ts";
import type { LinkEnd } from "./link.ts";

const silent: LinkEnd = { code: 1000, reason: "", lastedMs: 20, hadSign: false };
const never: PairHistory = { sinceLinkMs: undefined, bareEnds: 0 };
const judge = (end: Partial<LinkEnd>, pair: Partial<PairHistory> = {}) =>
  judgeEnd({ ...silent, ...end }, { ...never, ...pair }, agentTimers);

test("a typed close says what it is, and whose the pair is follows from its links", () => {
  expect(judge({ code: closeCodes.over_cap })).toBe("over_cap");
  expect(judge({ code: closeCodes.pair_expired })).toBe("pair_expired");
  expect(judge({ code: closeCodes.duplicate })).toBe("pair_taken");
  expect(judge({ code: closeCodes.duplicate }, { sinceLinkMs: 74_000 })).toBe("own_pair");
  expect(judge({ code: closeCodes.duplicate }, { sinceLinkMs: 76_000 })).toBe("pair_taken");
});

test("a typed close of what was a link is a cut, as the platform's codes are unknown", () => {
  const { over_cap, duplicate, pair_expired, job_over } = closeCodes;
  for (const code of [over_cap, duplicate, pair_expired, job_over]) {
    expect(judge({ code, hadSign: true })).toBe("cut");
    expect(judge({ code, lastedMs: 9e6 })).toBe("cut");
    expect(isToldRefusal({ ...silent, code, hadSign: true }, agentTimers)).toBe(false);
  }
});

test("a silent close right after the 101 is the cap only for a pair that never had a link", () => {
  expect(judge({})).toBe("over_cap");
  for (const code of [1000, 1005, closeCodes.job_over]) {
    expect(judge({ code }, { sinceLinkMs: 1_000 })).toBe("silent");
    expect(judge({ code }, { sinceLinkMs: 76_000 })).toBe("silent");
  }
});

test("a connection that just ends right after the 101 was cut, but not twice", () => {
  expect(judge({ code: 1006 })).toBe("cut");
  expect(judge({ code: 1006 }, { bareEnds: 1 })).toBe("over_cap");
  // Where a pair had a link just now, its network is what breaks off, however often.
  expect(judge({ code: 1006 }, { sinceLinkMs: 1_000, bareEnds: 3 })).toBe("cut");
});

test("whatever gave a sign, lasted, or was ended by us, was a link", () => {
  expect(judge({ hadSign: true })).toBe("cut");
  expect(judge({ lastedMs: 1_000 })).toBe("cut");
  expect(judge({ says: "a message too long came" })).toBe("cut");
  expect(judge({ code: closeCodes.stopping, hadSign: true })).toBe("cut");
});

test("only a gateway that says so took nothing of what went over the connection", () => {
  const told = [1000, 1001, 1006, 1009, ...Object.values(closeCodes)].filter((code) =>
    isToldRefusal({ ...silent, code }, agentTimers),
  );
  expect(told).toEqual([closeCodes.over_cap, closeCodes.duplicate, closeCodes.pair_expired]);
});
