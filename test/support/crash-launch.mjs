// Plans and confirms one run through the door for programs, and kills itself with signal 9 right after a step.
// Its argument is JSON: `wish` as RunWish has it, `dieAt` a step or null. Prints the plan's id before it confirms.
import { writeSync } from "node:fs";
import { chooseTargetFor, confirmPlan, makeRequest, openDesk, planRun } from "../../dist/index.js";

const { wish, dieAt, self } = JSON.parse(process.argv[2]);
const desk = openDesk({ env: process.env, self });
const { target } = await chooseTargetFor(desk, { cwd: wish.cwd, wanted: wish.target });
const plan = await planRun(desk, makeRequest(wish, target), target, wish.variables);
writeSync(1, plan.id);
await confirmPlan(desk, plan.id, {
  onStep: (step) => {
    if (step === dieAt) process.kill(process.pid, "SIGKILL");
  },
});
