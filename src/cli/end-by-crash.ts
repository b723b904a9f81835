import { makePrintable } from "../base/printable.ts";

/** Where a stack has nothing more to say. */
const UNKNOWN = "at an unknown place";

/**
 * Ends this process with one line of JSON in its log, and exit code 1, where a fault comes that nobody caught: what reads the
 * log gets no stack in between, and what watches the service starts it anew.
 */
export function endByCrash(writeLast: (text: string) => void): void {
  // Promises that nobody caught come this way too.
  process.on("uncaughtException", (fault: unknown) => {
    writeLast(`${JSON.stringify(describeCrash(fault))}\n`);
    process.exit(1);
  });
}

function describeCrash(fault: unknown) {
  const { message = String(fault), stack = "" } = (fault ?? {}) as { message?: string; stack?: string };
  const where = stack.split("\n").find((line) => line.startsWith("    at ")) ?? UNKNOWN;
  return {
    ...{ level: "fatal", time: new Date().toISOString(), event: "crash" },
    ...{ where: where.trim(), msg: `a fault that nobody caught: ${makePrintable(message)}` },
  };
}
