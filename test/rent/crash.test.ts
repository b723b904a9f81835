import { describe, it } from "vitest";
import { killInCall, killLauncher, killRenter, killWatcher } from "../support/rental-crash.ts";
import { useSshd } from "../support/sshd.ts";

const sshd = useSshd();

describe.concurrent("L42 killed with signal 9 where a rented machine stands otherwise than before; all steps: crash.soak.test.ts", () => {
  it("L42 in the middle of the call that rents: the machine is found by its label", () => killInCall(sshd()));

  it.each(["created", "ready"] as const)("L42 %s: no machine is left, and none that nobody knows", (step) =>
    killRenter(sshd(), step),
  );

  it.each(["folder_made", "started"] as const)(
    "L42 %s on the machine: one run or none, and the machine goes",
    (step) => killLauncher(sshd(), step),
  );

  it.each(["destroy_intended", "destroyed"] as const)(
    "L42 %s: the machine is gone in the end, and its results are home",
    (step) => killWatcher(sshd(), step),
  );
});
