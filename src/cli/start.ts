import { main } from "./main.ts";

// A reader that closes the pipe early (`| head`) is no fault of ours.
process.stdout.on("error", (fault: NodeJS.ErrnoException) => {
  if (fault.code === "EPIPE") process.exit(0);
  throw fault;
});
// No `await` at the top: the bundle of the command is CommonJS.
void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
