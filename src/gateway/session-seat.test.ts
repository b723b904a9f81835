import { expect, it } from "vitest";
import { makeCancelled } from "./session-loss.ts";
import { SessionSeat } from "./session-seat.ts";

const line = { sendObservation: () => true };

it("has one session after another, and knows the last that ended", () => {
  const seat = new SessionSeat();
  expect([seat.session, seat.endedId]).toEqual([undefined, undefined]);
  const first = seat.open(line, false);
  expect([seat.session, seat.endedId]).toEqual([first, undefined]);
  expect([seat.close(first), seat.session, seat.endedId]).toEqual([true, undefined, first.sessionId]);
  const second = seat.open(line, false);
  expect(second.sessionId).not.toBe(first.sessionId);
  expect([seat.close(first), seat.session]).toEqual([false, second]);
});

it("loses the one that is open, and none where none is", () => {
  const seat = new SessionSeat();
  seat.lose(makeCancelled);
  const session = seat.open(line, false);
  seat.lose(makeCancelled);
  expect([seat.session, seat.endedId, session.loss?.failure]).toEqual([
    ...[undefined, session.sessionId, "cancelled"],
  ]);
  expect(seat.close(session)).toBe(false);
});
