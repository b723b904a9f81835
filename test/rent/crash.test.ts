import { describe, it } from "vitest";
import { REMOTE_STEPS } from "../../src/supervise/launch-steps.ts";
import { RENT_STEPS, TEARDOWN_STEPS } from "../../src/supervise/rent/rent-steps.ts";
import { killInCall, killLauncher, killRenter, killWatcher } from "../support/rental-crash.ts";
import { useSshd } from "../support/sshd.ts";

const sshd = useSshd();

describe.concurrent("L42 killed with signal 9 right after each step of a rented machine's life", () => {
  it("L42 in the middle of the call that rents: the machine is found by its label", () => killInCall(sshd()));

  it.each(RENT_STEPS)("L42 %s: no machine is left, and none that nobody knows", (step) =>
    killRenter(sshd(), step),
  );

  it.each(REMOTE_STEPS)("L42 %s on the machine: one run or none, and the machine goes", (step) =>
    killLauncher(sshd(), step),
  );

  it.each(TEARDOWN_STEPS)("L42 %s: the machine is gone in the end, and its results are home", (step) =>
    killWatcher(sshd(), step),
  );
});
