import { main } from "./main.ts";

// A reader that closes the pipe early (`| head`) is no fault of ours: the command goes on unseen to its own exit code.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (fault: NodeJS.ErrnoException) => {
    if (fault.code !== "EPIPE") throw fault;
  });
// No `await` at the top: the bundle of the command is CommonJS.
void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
