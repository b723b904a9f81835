import { main } from "./main.ts";

// A reader that closes the pipe early (`| head`) is no fault of ours.
process.stdout.on("error", (fault: NodeJS.ErrnoException) => {
  if (fault.code === "EPIPE") process.exit(0);
  throw fault;
});
process.exitCode = await main(process.argv.slice(2));
