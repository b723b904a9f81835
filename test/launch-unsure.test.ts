import { describe, expect, it } from "vitest";
import { SortieError } from "../src/base/error.ts";
import { confirmPlan } from "../src/supervise/confirm-plan.ts";
import { closeDesk, openDesk } from "../src/supervise/desk.ts";
import { endFailedLaunch } from "../src/supervise/end-failed-launch.ts";
import { makeTarget, THIS_MACHINE } from "../src/supervise/find-target.ts";
import { SORTIE, useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const openOwn = () => openDesk({ env: sortie.makeEnv(), self: [process.execPath, SORTIE] });
async function planOwn(): Promise<string> {
  const flags = ["--target", "local", "--name", "hidden", "--grace", "1"];
  return (await sortie.ask(["run", ...flags, "--", "sh", "-c", "echo up; exec sleep 300"])).plan.id;
}

describe("a launch that fails", () => {
  it("after the start names the run that may be running", async () => {
    const desk = openOwn();
    const plan = await planOwn();
    // From here on nothing can be written, as on a full disk.
    const onStep = (step: string) => step === "started" && closeDesk(desk);
    const fault = await confirmPlan(desk, plan, { onStep }).catch((thrown) => thrown);
    expect(fault).toMatchObject({ code: "launch_unsure", exit: 5, details: { name: "hidden" } });
    const { run } = fault.details as { run: string };
    expect(`${fault.message} ${fault.hint}`).toContain(`sortie show ${run}`);
    expect(await sortie.waitForState(run, ["running"])).toMatchObject({ name: "hidden" });
    expect(await sortie.ask(["stop", run])).toMatchObject({ exit: 0, state: "stopped" });
  });

  it("is not called failed while it may still start", async () => {
    const desk = openOwn();
    const plan = await planOwn();
    const { run } = await confirmPlan(desk, plan);
    const unclosable = {
      ...makeTarget(desk, THIS_MACHINE),
      close: () => Promise.reject(new SortieError("internal")),
    };
    expect(await endFailedLaunch(desk, run, unclosable, new SortieError("internal"))).toBe(true);
    closeDesk(desk);
    expect(await sortie.show(run.id)).toMatchObject({ state: "running" });
    expect(await sortie.ask(["stop", run.id])).toMatchObject({ exit: 0, state: "stopped" });
  });
});
