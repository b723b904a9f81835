/** Numbers from 0 to 1 that depend on the seed alone: a xorshift of 32 bits. */
export function makeRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
