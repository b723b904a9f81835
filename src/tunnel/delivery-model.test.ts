import { expect, test } from "vitest";
import { makeRandom } from "../../test/support/random.ts";
import { Delivery } from "./delivery.ts";

const STEPS = 200_000;
const seed = Number(process.env["SORTIE_CUT_SEED"] ?? Date.now() % 1_000_000);

/**
 * Gateway, network and agent as one small machine: in each step one frame arrives, the handler answers, or the link is
 * cut and what was on its way is lost. At times the next link is refused in words, so that nothing gets over it, and the
 * agent knows; until the one after that, the handler may answer. Some observations are equal to the byte.
 */
function play(options: { seed: number; sendsResume: boolean; canRepeat: boolean }) {
  const random = makeRandom(options.seed);
  const seen = { observations: 0, cuts: 0, resent: 0, repeats: 0, refused: 0 };
  const faults: string[] = [];

  // The gateway. `asked` is the number of the open observation; a simulator asks as soon as it has its answer.
  let replies = 0;
  let asked = 0;
  let isOpen = false;
  let bytes = new Uint8Array();
  // Frames on their way, each way. A reply is the number that it answers.
  let down: (
    | { resume: number; resend: boolean }
    | { observation: Uint8Array; number: number }
    | { pong: number }
  )[] = [];
  let up: ({ reply: number } | { ping: number })[] = [];
  // The agent.
  const delivery = new Delivery();
  const numbers: number[] = [];
  let lastNumber = 0;
  let pings = 0;
  let isUp = true;

  const ask = () => {
    asked += 1;
    isOpen = true;
    if (!options.canRepeat || random() < 0.7) bytes = Uint8Array.of(asked >> 16, asked >> 8, asked);
    down.push({ observation: bytes, number: asked });
    seen.observations += 1;
  };
  const send = () => {
    if (!isUp) return;
    delivery.pass();
    pings += 1;
    up.push({ reply: lastNumber }, { ping: pings });
  };
  const cut = () => {
    seen.cuts += 1;
    down = [];
    up = [];
    pings += 1; // no pong of an earlier link proves anything
    isUp = random() < 0.8;
    if (!isUp) {
      seen.refused += 1;
      if (delivery.startLink() === "send") delivery.pass();
      return delivery.dropLink();
    }
    if (options.sendsResume) down.push({ resume: replies, resend: isOpen });
    if (isOpen) down.push({ observation: bytes, number: asked });
    if (delivery.startLink() === "send") send();
  };
  const arriveDown = () => {
    const frame = down.shift();
    if (frame === undefined) return;
    if ("pong" in frame) return frame.pong === pings ? delivery.prove() : undefined;
    if ("resume" in frame) {
      if (delivery.resume({ replies: frame.resume, resend: frame.resend }) !== "send") return;
      seen.resent += 1;
      return send();
    }
    const verdict = delivery.take(frame.observation);
    if (verdict === "new") numbers.push(frame.number);
    if (verdict === "repeat") seen.repeats += 1;
    if (verdict === "send") {
      seen.resent += 1;
      send();
    }
  };
  const arriveUp = () => {
    const frame = up.shift();
    if (frame === undefined) return;
    if ("ping" in frame) return down.push({ pong: frame.ping });
    if (!isOpen) return faults.push(`reply ${frame.reply} was not asked for`);
    if (frame.reply !== asked) faults.push(`reply ${frame.reply} answers observation ${asked}`);
    isOpen = false;
    replies += 1;
    ask();
  };
  const answer = () => {
    const number = numbers.shift();
    if (number === undefined) return;
    lastNumber = number;
    delivery.answer(Uint8Array.of(0));
    send();
  };

  ask();
  for (let step = 0; step < STEPS && faults.length === 0; step += 1) {
    const dice = random();
    if (dice < 0.1 || (!isUp && dice < 0.5)) cut();
    else if (dice < 0.4) arriveDown();
    else if (dice < 0.7) arriveUp();
    else answer();
    const isStuck = isUp && down.length + up.length + numbers.length === 0;
    if (isStuck) faults.push(`nothing moves any more after observation ${asked}`);
  }
  return { ...seen, faults };
}

test(`with the gateway's count nothing is lost, doubled or reordered, even where observations are equal (seed ${seed})`, () => {
  const seen = play({ seed, sendsResume: true, canRepeat: true });
  expect(seen.faults).toEqual([]);
  expect(seen.cuts).toBeGreaterThan(STEPS / 15);
  for (const count of [seen.resent, seen.repeats, seen.refused]) expect(count).toBeGreaterThan(100);
});

test(`by evidence alone the same holds, where the open observation is sent again and each differs (seed ${seed})`, () => {
  const seen = play({ seed, sendsResume: false, canRepeat: false });
  expect(seen.faults).toEqual([]);
  expect(seen.resent).toBeGreaterThan(100);
});
