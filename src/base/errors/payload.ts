import { defineErrors } from "./define.ts";

export const payloadErrors = defineErrors({
  payload_unpackable: {
    exit: 5,
    message: "A value cannot be packed as msgpack: {reason}.",
    hint: "Give maps, lists, text, numbers, booleans, null and Uint8Array, at most 64 deep.",
  },
});
