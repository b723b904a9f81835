import { closeSync, constants, fstatSync, openSync } from "node:fs";

/** A descriptor to hand to a child as its output. */
export interface Output {
  readonly fd: number;
  /** To be called once the child has it. */
  close(): void;
}

/**
 * `fd` for a child. Whether a pipe blocks is a property that all who hold it share, and Node makes it block for a child;
 * its own log would then wait for a slow reader, and everything else with it. So a child gets a pipe opened anew.
 */
export function openOutput(fd: number): Output {
  try {
    if (process.platform === "linux" && fstatSync(fd).isFIFO()) {
      // Without waiting: where nobody reads the pipe any more, that would be for ever.
      const again = openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
      return { fd: again, close: () => closeSync(again) };
    }
  } catch {
    // not to be opened again: shared then
  }
  return { fd, close: () => undefined };
}
