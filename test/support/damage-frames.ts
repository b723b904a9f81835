import { makeRandom } from "./random.ts";

/** Lengths at which programs break. */
const BAD_LENGTHS = [0, 1, 3, 4, 255, 256, 257, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

/** How many damaged frames a test tries: `npm run soak` asks for a million. */
export const damagedFrameCount = Number(process.env["SORTIE_DAMAGED_FRAMES"] ?? 20_000);

/** A seed of its own for each run, or the one to be tried again. */
export const damageSeed = Number(process.env["SORTIE_DAMAGE_SEED"] ?? Date.now() % 1_000_000);

/** Damaged copies of sample frames without end; the same ones for the same seed. */
export function* makeDamagedFrames(samples: readonly Uint8Array[], seed: number): Generator<Uint8Array> {
  const random = makeRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  while (true) {
    let frame: Uint8Array = pick(samples).slice();
    for (let step = 1 + Math.floor(random() * 4); step > 0; step -= 1) frame = pick(damages)(frame, random);
    yield frame;
  }
}

type Damage = (frame: Uint8Array, random: () => number) => Uint8Array;

const damages: readonly Damage[] = [
  (frame, random) => {
    if (frame.length > 0) frame[Math.floor(random() * frame.length)] = Math.floor(random() * 256);
    return frame;
  },
  (frame, random) => {
    const at = Math.floor(random() * frame.length);
    if (frame.length > 0) (frame[at] as number) ^= 1 << Math.floor(random() * 8);
    return frame;
  },
  (frame, random) => frame.slice(0, Math.floor(random() * (frame.length + 1))),
  (frame, random) => frame.slice(Math.floor(random() * (frame.length + 1))),
  (frame, random) => {
    const at = Math.floor(random() * (frame.length + 1));
    const more = Array.from({ length: 1 + Math.floor(random() * 9) }, () => Math.floor(random() * 256));
    return Uint8Array.from([...frame.subarray(0, at), ...more, ...frame.subarray(at)]);
  },
  (frame, random) => {
    const at = random() < 0.5 ? 0 : Math.floor(random() * Math.max(0, frame.length - 3));
    if (frame.length < 4) return frame;
    new DataView(frame.buffer).setUint32(
      at,
      BAD_LENGTHS[Math.floor(random() * BAD_LENGTHS.length)] as number,
    );
    return frame;
  },
  (_, random) => Uint8Array.from({ length: Math.floor(random() * 64) }, () => Math.floor(random() * 256)),
];
