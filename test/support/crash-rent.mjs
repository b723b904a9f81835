// Plans a run on a machine that is rented for it, and confirms that through the door for programs; kills itself with signal 9
// right after a step. Its argument is JSON: `wish` as RunWish has it, `dieAt` a step of the rental or null, `dieAtLaunch` one
// of the launch on it or null. Nobody watches but who is started on purpose.
import { chooseTargetFor, executeRental, makeRequest, openDesk, planRental } from "../../dist/index.js";

const { wish, dieAt, dieAtLaunch } = JSON.parse(process.argv[2]);
const desk = openDesk({ env: process.env, self: ["true"] });
const place = { cwd: wish.cwd, wanted: wish.target };
const { target } = await chooseTargetFor(desk, place, { mayRent: true });
const plan = await planRental(desk, {
  ...{ request: makeRequest(wish, target), chosen: target, place, variables: wish.variables },
  ...{ flags: { max_cost: "2" }, mayBeUnguarded: true },
});
const dieAfter = (meant) => (step) => {
  if (step === meant) process.kill(process.pid, "SIGKILL");
};
const call = { secrets: {}, onStep: dieAfter(dieAt), onLaunchStep: dieAfter(dieAtLaunch) };
await executeRental(desk, plan.terms, call, plan);
