import { setFlagsFromString } from "node:v8";

/**
 * Lets V8 collect garbage sooner instead of growing its heap, in the whole process: ten thousand agents that connect, and
 * their pings, would otherwise leave twice as much garbage in memory as they take themselves. Both flags are read
 * whenever a heap is about to grow, so they may be set while the process runs.
 */
export function favourSmallHeap(): void {
  setFlagsFromString("--optimize-for-size");
  setFlagsFromString("--semi-space-growth-factor=1");
}
