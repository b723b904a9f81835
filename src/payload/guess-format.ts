/** How bytes begin that people send where msgpack is wanted. */
const beginnings: readonly { readonly name: string; readonly begins: readonly number[] }[] = [
  { name: "a saved numpy array (.npy): send lists, packed with msgpack", begins: [0x93, 0x4e, 0x55, 0x4d] },
  ...[2, 3, 4, 5].map((version) => ({
    name: "a Python pickle: pack it with msgpack",
    begins: [0x80, version],
  })),
  {
    name: "a zip archive, as numpy's savez writes it: send lists, packed with msgpack",
    begins: [0x50, 0x4b],
  },
  { name: "JSON text: pack it with msgpack", begins: [0x7b] },
  { name: "JSON text: pack it with msgpack", begins: [0x5b] },
  { name: "compressed data (gzip): send it uncompressed", begins: [0x1f, 0x8b] },
  { name: "compressed data (zstd): send it uncompressed", begins: [0x28, 0xb5, 0x2f, 0xfd] },
];

/** What bytes that are no msgpack seem to be, and what to do; undefined when nothing is known to begin so. */
export function guessFormat(bytes: Uint8Array): string | undefined {
  return beginnings.find(({ begins }) => begins.every((byte, index) => bytes[index] === byte))?.name;
}
