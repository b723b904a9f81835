import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SortieError } from "../src/base/error.ts";
import { nameJobFiles } from "../src/runs/job-folder.ts";
import { confirmPlan } from "../src/supervise/confirm-plan.ts";
import { closeDesk, openDesk } from "../src/supervise/desk.ts";
import { endFailedLaunch } from "../src/supervise/end-failed-launch.ts";
import { makeTarget, THIS_MACHINE } from "../src/supervise/find-target.ts";
import { SORTIE, useSortie } from "./support/sortie.ts";
import { waitFor } from "./support/wait-for.ts";

const sortie = useSortie();
const openOwn = (env: Record<string, string> = {}) =>
  openDesk({ env: sortie.makeEnv(env), self: [process.execPath, SORTIE] });
async function planOwn(flags: readonly string[] = [], command = "echo up; exec sleep 300"): Promise<string> {
  const all = ["--target", "local", "--name", "hidden", "--grace", "1", ...flags];
  return (await sortie.ask(["run", ...all, "--", "sh", "-c", command])).plan.id;
}

/** A machine so busy that the command's own side begins only at `go()`, though its supervisor is on record. */
function holdCommand() {
  const folder = join(sortie.temp(), "slow");
  const gate = join(sortie.temp(), "go");
  const setsid = execFileSync("sh", ["-c", "command -v setsid"], { encoding: "utf8" }).trim();
  const wait = 'case " $* " in *"/run.sh command "*) until [ -e "$GATE" ]; do sleep 0.02; done ;; esac';
  mkdirSync(folder);
  writeFileSync(join(folder, "setsid"), `#!/bin/sh\n${wait}\nexec ${setsid} "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env["PATH"]}`, GATE: gate };
  return { env, go: () => writeFileSync(gate, "") };
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

  it("is not called failed while it may still start, and starts as it was meant to", async () => {
    const slow = holdCommand();
    const desk = openOwn(slow.env);
    const plan = await planOwn(["--env", "WORD=told"], 'echo "$WORD"; exec sleep 300');
    const { run } = await confirmPlan(desk, plan);
    const unclosable = {
      ...makeTarget(desk, THIS_MACHINE),
      close: () => Promise.reject(new SortieError("internal")),
    };
    const files = nameJobFiles(run.jobFolder);
    const pipe = join(files.folder, "log.pipe");
    await waitFor(() => existsSync(pipe), { what: "the pipe of its log" });
    const before = readdirSync(files.folder);
    expect(await endFailedLaunch(desk, run, unclosable, new SortieError("internal"))).toBe(true);
    closeDesk(desk);
    expect(readdirSync(files.folder)).toEqual(expect.arrayContaining(before));
    slow.go();
    await waitFor(() => existsSync(files.log) && readFileSync(files.log, "utf8") === "told\n", {
      what: "the word of its variable",
    });
    expect(await sortie.show(run.id)).toMatchObject({ state: "running" });
    expect(await sortie.ask(["stop", run.id])).toMatchObject({ exit: 0, state: "stopped" });
  });
});
