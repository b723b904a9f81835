import { expect, test } from "vitest";
import { closeCodes } from "../wire/close-codes.ts";
import { agentTimers } from "./agent-options.ts";
import { judgeEnd, type PairHistory } from "./judge-end.ts";
import type { LinkEnd } from "./link.ts";

const silent: LinkEnd = { code: 1000, reason: "", lastedMs: 20, hadSign: false };
const never: PairHistory = { sinceLinkMs: undefined, bareEnds: 0 };
const judge = (end: Partial<LinkEnd>, pair: Partial<PairHistory> = {}) =>
  judgeEnd({ ...silent, ...end }, { ...never, ...pair }, agentTimers);

test("a typed close says what it is, and whose the pair is follows from its links", () => {
  expect(judge({ code: closeCodes.over_cap })).toBe("over_cap");
  expect(judge({ code: closeCodes.pair_expired })).toBe("pair_expired");
  expect(judge({ code: closeCodes.job_over, hadSign: true, lastedMs: 9e6 })).toBe("job_over");
  expect(judge({ code: closeCodes.duplicate })).toBe("pair_taken");
  expect(judge({ code: closeCodes.duplicate }, { sinceLinkMs: 74_000 })).toBe("own_pair");
  expect(judge({ code: closeCodes.duplicate }, { sinceLinkMs: 76_000 })).toBe("pair_taken");
});

test("a silent close right after the 101 is the own old link where there was one, else the cap", () => {
  expect(judge({})).toBe("over_cap");
  expect(judge({ code: 1005 }, { sinceLinkMs: 1_000 })).toBe("own_pair");
  expect(judge({}, { sinceLinkMs: 76_000 })).toBe("over_cap");
});

test("a connection that just ends right after the 101 was cut, but not twice", () => {
  expect(judge({ code: 1006 })).toBe("cut");
  expect(judge({ code: 1006 }, { bareEnds: 1 })).toBe("over_cap");
});

test("whatever gave a sign, lasted, or was ended by us, was a link", () => {
  expect(judge({ hadSign: true })).toBe("cut");
  expect(judge({ lastedMs: 1_000 })).toBe("cut");
  expect(judge({ says: "a message too long came" })).toBe("cut");
  expect(judge({ code: closeCodes.stopping, hadSign: true })).toBe("cut");
});
