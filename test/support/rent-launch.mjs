// Confirms the plan of a rental through the door for programs, with a guard of its own pace, and stays until it is killed, as
// a person's `sortie run` does. Its argument is JSON: `plan`, `guardPace`. Prints the run's document once it is launched.
import { writeSync } from "node:fs";
import { confirmAction, openDesk } from "../../dist/index.js";

const { plan, guardPace, self } = JSON.parse(process.argv[2]);
const { outcome } = await confirmAction(openDesk({ env: process.env, self }), plan, {
  secrets: {},
  guardPace,
});
writeSync(1, `${JSON.stringify(outcome.document.run)}\n`);
setInterval(() => undefined, 60_000);
