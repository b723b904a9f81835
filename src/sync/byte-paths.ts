/** A path below a folder, in bytes, as the file system takes it: names need not be UTF-8. */
export function makePlace(folder: string, path: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), path]);
}
