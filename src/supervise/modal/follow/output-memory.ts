const HEAD_CHARACTERS = 64 * 1024;
const TAIL_CHARACTERS = 256 * 1024;

/** What a program has printed: its begin and its end, which say the most; of long output the middle is forgotten. */
export interface OutputMemory {
  add(chunk: Buffer): void;
  read(): string;
}

export function makeOutputMemory(): OutputMemory {
  const decoder = new TextDecoder();
  let head = "";
  let tail = "";
  return {
    add(chunk) {
      const text = decoder.decode(chunk, { stream: true });
      const room = HEAD_CHARACTERS - head.length;
      head += text.slice(0, room);
      tail += text.slice(room);
      if (tail.length > 2 * TAIL_CHARACTERS) tail = `\n${tail.slice(-TAIL_CHARACTERS)}`;
    },
    read: () => head + tail,
  };
}
