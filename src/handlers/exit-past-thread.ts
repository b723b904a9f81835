/** Signals whose exit codes, as a shell tells them, an interrupted program ends with. */
const signalByCode: Readonly<Record<number, NodeJS.Signals>> = { 130: "SIGINT", 143: "SIGTERM" };

/**
 * Lets this process end though a thread of it is stuck in native code. Node would wait for the thread, for ever; so at
 * its exit the process kills itself, by the signal that its exit code tells of, or else by KILL. `exited`: the thread's end.
 */
export function exitPastThread(exited: Promise<void>) {
  const killSelf = (exitCode: number) => {
    const signal = signalByCode[exitCode] ?? "SIGKILL";
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  };
  process.once("exit", killSelf);
  void exited.then(() => process.off("exit", killSelf));
}
