import type { Desk } from "../supervise/desk.ts";
import type { RunRecord } from "../supervise/find-runs.ts";
import { followRun } from "../supervise/follow-run.ts";
import { checkStopped, type Stopped, stopRun } from "../supervise/stop-run.ts";
import { askForOne } from "./ask.ts";
import type { Io } from "./io.ts";
import { makeLogPrinter } from "./log-printer.ts";
import { describeWait } from "./warn-silence.ts";

/** How watching ended: with the run, by the person's choice, or by a signal. The run goes on unless it has ended. */
export type Attached = "ended" | "left" | "SIGINT" | "SIGTERM";

/**
 * Shows a run's log until it ends. Ctrl-C on a terminal asks what to do: leave it running, stop it, go on;
 * elsewhere a signal only ends the watching. `announce` says what stands above the log. @throws stop_incomplete
 */
export async function attachToRun(
  io: Io,
  desk: Desk,
  id: string,
  announce: () => Promise<void>,
): Promise<Attached> {
  const printer = makeLogPrinter(io);
  let offset = 0;
  let stopped: Stopped | null = null;
  let isAnnounced = false;
  for (;;) {
    const interrupt = listenForInterrupt();
    if (!isAnnounced) await announce();
    isAnnounced = true;
    const onSilence = (run: RunRecord) => {
      printer.pause();
      io.warn(describeWait(run));
    };
    const { signal: left } = interrupt;
    const followed = await followRun(desk, id, { onBytes: printer.push, onSilence, signal: left, offset });
    interrupt.end();
    offset = followed.offset;
    if (!interrupt.signal.aborted) break;
    printer.pause();
    const signal = interrupt.signal.reason as "SIGINT" | "SIGTERM";
    if (signal === "SIGTERM" || !io.isTerminal) return signal;
    const answer = await askWhatToDo();
    if (answer === "leave") return "left";
    if (answer === "stop") stopped = await stopRun(desk, id, { graceS: null });
  }
  printer.finish();
  if (stopped) checkStopped(stopped);
  return "ended";
}

/** The signal's name is the reason of the abort. */
function listenForInterrupt() {
  const controller = new AbortController();
  const abort = (name: NodeJS.Signals) => controller.abort(name);
  process.on("SIGINT", abort);
  process.on("SIGTERM", abort);
  return {
    signal: controller.signal,
    end() {
      process.off("SIGINT", abort);
      process.off("SIGTERM", abort);
    },
  };
}

async function askWhatToDo(): Promise<"leave" | "stop" | "go_on"> {
  const answer = await askForOne("The run goes on. What now?", [
    ["go_on", "go on watching"],
    ["leave", "leave it running and return to the shell"],
    ["stop", "stop the run"],
  ]);
  return answer ?? "leave";
}
