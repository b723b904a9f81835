const ROUND = 2 ** 32;

/** Numbers from 0 up to 1 that depend on the seed alone, any whole number: Mulberry32. */
export function makeRandom(seed: number): () => number {
  let state = Math.imul((seed % ROUND) | 0, 0x9e3779b1) ^ Math.floor(seed / ROUND);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / ROUND;
  };
}
