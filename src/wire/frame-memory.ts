/** Just below the largest block that glibc learns from (32 MiB). */
const BLOCK_BYTES = 32 * 1024 * 1024 - 64 * 1024;

/**
 * Lets frames of megabytes pass faster: to be called where a tunnel's end starts. glibc hands the memory of large blocks
 * back to the kernel when they are freed, and gets it again page by page for the next frame, until a block of at least
 * their size has been freed once; then it keeps up to twice as much for what comes. So one is allocated here, never
 * written to, and left to the garbage collector. Elsewhere this changes nothing.
 */
export function keepFrameMemory(): void {
  Buffer.allocUnsafeSlow(BLOCK_BYTES);
}
