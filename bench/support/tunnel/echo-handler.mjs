// The handler that the agent runs in a worker thread: the reply has as many of the frame's first bytes as it asks for.
import { cutReply } from "./frames.mjs";

/** A handler that has this is not warmed up by an empty frame, which asks for nothing. */
export function load() {
  // nothing to load
}

export function handle(_sessionId, frame) {
  return cutReply(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength));
}
