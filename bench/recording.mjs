import { makeOutsideBoard, startChallenge } from "./support/hosted/challenge.mjs";
import { openLiveSession } from "./support/hosted/live-session.mjs";
import { describeRatios, findShare } from "./support/quantiles.mjs";
import { printLine } from "./support/report.mjs";
import { measureRounds } from "./support/rounds.mjs";
import { makeFrame } from "./support/tunnel/frames.mjs";
import { measureSlot } from "./support/tunnel/measure-slot.mjs";

const SIZES = [
  { label: "85 kB", bytes: 85_000, calls: 30 },
  { label: "0.7 MB", bytes: 700_000, calls: 10 },
];
const ACTION_BYTES = 7_500;
const ROUNDS = 40;

/** The time of a call through a hosted gateway that records its sessions, as a multiple of that through one that does not. */
export async function run() {
  const opened = [];
  const keep = async (thing) => opened.push(await thing) && thing;
  const boards = { board: makeOutsideBoard() };
  try {
    const connections = {};
    for (const [name, recordings] of Object.entries({ off: "off", on: { max_size: "10GB" } })) {
      const challenge = await keep(startChallenge({ boards, recordings }));
      connections[name] = await openLiveSession(challenge, "board", keep);
    }
    for (const size of SIZES) await measureSize(connections, size);
    for (const connection of Object.values(connections)) await connection.close();
    return true;
  } finally {
    for (const thing of opened.reverse()) await thing.stop();
  }
}

async function measureSize(connections, { label, bytes, calls }) {
  const frame = makeFrame(bytes, ACTION_BYTES);
  const cases = Object.entries(connections).map(([name, one]) => [
    name,
    () => measureSlot(one, frame, calls),
  ]);
  const { on, off } = await measureRounds(ROUNDS, Object.fromEntries(cases));
  const { median: figure, p10, p90 } = describeRatios(on.map(findMedian), off.map(findMedian));
  const detail = `${findMedian(on.flat()).toFixed(2)} over ${findMedian(off.flat()).toFixed(2)} ms`;
  printLine({ label: `${label} there, 7.5 kB back, recorded`, figure, unit: " ×", p10, p90, detail });
}

function findMedian(times) {
  return findShare(times, 0.5);
}
