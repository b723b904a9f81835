// Watches over runs through the door for programs, and kills itself with signal 9 right after a step of starting one.
import { openDesk, watchRuns } from "../../dist/index.js";

const { dieAt, self } = JSON.parse(process.argv[2]);
await watchRuns(openDesk({ env: process.env, self }), new AbortController().signal, {
  onStep: (step) => {
    if (step === dieAt) process.kill(process.pid, "SIGKILL");
  },
});
