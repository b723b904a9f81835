import { checkReply, numberFrame } from "./frames.mjs";

/** Calls before the counted ones of a slot, in which caches and sleeping processes come back. */
const WARM_CALLS = 2;

let number = 0;

/** Makes so many calls, one in flight, on a connection. The milliseconds of each; checking its reply is not counted. */
export async function measureSlot({ call, join = keep }, frame, calls) {
  const times = [];
  for (let made = -WARM_CALLS; made < calls; made += 1) {
    number += 1;
    numberFrame(frame, number);
    const startedMs = performance.now();
    const reply = await call(frame);
    if (made >= 0) times.push(performance.now() - startedMs);
    checkReply(frame, join(reply), made < 0);
  }
  return times;
}

function keep(reply) {
  return reply;
}
