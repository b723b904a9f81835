/** The built door for programs, with the types of its source. */
export async function loadDoor(): Promise<typeof import("../../src/index.ts")> {
  return import(new URL("../../dist/index.js", import.meta.url).href);
}
