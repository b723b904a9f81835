/** `1 agent`, `3 agents`; `plural` where an s does not make it. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
