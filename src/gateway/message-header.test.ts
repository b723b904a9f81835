import { expect, it } from "vitest";
import { makeMessageHeader } from "./message-header.ts";

const inner = [0, 0, 0, 2, 0x61, 0x62];

/** The sizes at which the length of a message takes more bytes; a real client reads them in the scenarios. */
it.each([
  [0, [0x82, 6]],
  [119, [0x82, 125]],
  [120, [0x82, 126, 0, 126]],
  [65_529, [0x82, 126, 255, 255]],
  [65_530, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
])("the header of a payload of %i bytes", (payloadBytes, outer) => {
  expect([...makeMessageHeader(Buffer.from("ab"), payloadBytes)]).toEqual([...outer, ...inner]);
});
