interface WaitOptions {
  /** How long at most; the test fails then. */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** What is waited for, for the message of a failure. */
  readonly what?: string;
}

/** Asks again until the answer is true, an object, a text: anything but false, null, undefined, 0 or empty. Gives the answer. */
export async function waitFor<Answer>(
  condition: () => Answer | Promise<Answer>,
  { timeoutMs = 10_000, intervalMs = 20, what = "the condition" }: WaitOptions = {},
): Promise<NonNullable<Answer>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await condition();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`${what} did not come true within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
