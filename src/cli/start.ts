import { SortieError } from "../base/error.ts";
import { main } from "./main.ts";
import { reportFault } from "./report-fault.ts";

const findFault = listenForFaults();
// No `await` at the top: the bundle of the command is CommonJS.
void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = findFault() ?? exitCode;
});

/**
 * A reader that closes the pipe early (`| head`) is no fault of ours: the command goes on unseen to its own exit code.
 * Output that cannot be written otherwise is said at once; the command goes on to its end, and the fault is its exit code.
 */
function listenForFaults(): () => number | null {
  let exitCode: number | null = null;
  const report = (fault: NodeJS.ErrnoException) => {
    if (fault.code === "EPIPE" || exitCode !== null) return;
    const error = new SortieError("output_unwritable", { reason: fault.message }, fault);
    exitCode = error.exit;
    process.exitCode = exitCode;
    reportFault(error, fault, { json: false });
  };
  process.stdout.on("error", report);
  process.stderr.on("error", report);
  return () => exitCode;
}
