import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SORTIE } from "../support/sortie.ts";
import { useWandbProject } from "../support/wandb-project.ts";

const project = useWandbProject();
const { configure, addScript, readScript, path, ask } = project;

describe("sortie wandb instrument", () => {
  it("shows what it would write and asks, writes it, does nothing twice, and takes it out again", async () => {
    const before = addScript("two_spaces_crlf.py");
    const call = ["wandb", "instrument", "train.py"];
    const asked = await ask(call);
    expect(asked).toMatchObject({
      ...{ exit: 3, file: "train.py", written: false, removed: 0 },
      confirm: "sortie wandb instrument train.py --yes",
    });
    expect(asked.metrics).toContain("train/loss");
    expect(readScript()).toBe(before);
    const shown = await project.sortie.run(call);
    expect(shown.stdout).toContain(`train.py: +${asked.added} -0 lines\n  logs      train/loss`);
    expect(shown.stdout).not.toContain("\r");
    expect(shown.stderr).toContain("sortie wandb instrument train.py --yes");

    expect(await ask([...call, "--yes"])).toMatchObject({ exit: 0, written: true });
    const written = readScript();
    expect(written).toMatch(/# sortie-wandb\r\n/);
    expect(await ask([...call, "--yes"])).toMatchObject({
      ...{ exit: 0, written: false, reason: "it logs to W&B already: by lines that Sortie wrote" },
    });
    expect(readScript()).toBe(written);
    expect(await ask([...call, "--remove"])).toMatchObject({ exit: 3, added: 0, removed: asked.added });
    expect(await ask([...call, "--remove", "--yes"])).toMatchObject({ exit: 0, written: true });
    expect(readScript()).toBe(before);
  });

  it("refuses what cannot be done safely, with the line and the other way", async () => {
    addScript("class_body.py");
    const refused = await ask(["wandb", "instrument", "train.py", "--yes"]);
    expect(refused).toMatchObject({ exit: 2, error: { code: "wandb_script_refused", details: { line: 9 } } });
    expect(refused.error.hint).toMatch(/without a change of the source/i);
    const missing = await ask(["wandb", "instrument", "gone.py"]);
    expect(missing).toMatchObject({ exit: 2, error: { code: "wandb_script_unreadable" } });
    expect(await ask(["wandb", "instrument", "."])).toMatchObject({ exit: 2 });
  });

  it("shows what stands in a script without moving the cursor", async () => {
    writeFileSync(path("train.py"), 'logger = loggers.WandbLogger("\x1b[2J")\n');
    const shown = await project.sortie.run(["wandb", "instrument", "train.py"]);
    expect(shown.stdout).toContain('it logs to W&B already: loggers.WandbLogger("\\x1b[2J") (line 1)');
  });
});

describe("a launcher that is killed with signal 9", () => {
  it.each(["plan_used", "script_written"])("%s: the script is the old one or the new one", async (dieAt) => {
    configure("wandb: true", "wandb_project: digits");
    const before = addScript();
    const wish = {
      ...{ command: ["python", "train.py"], cwd: project.sortie.project(), target: null, name: null },
      ...{ gpus: "none", gpu: [], envFiles: [], isCwdGiven: true, variables: {}, results: null },
      ...{ timeoutS: null, graceS: null, expectS: null, waitGpuS: null, freeze: false, copies: [] },
      ...{ environment: null, unverified: false },
    };
    const program = fileURLToPath(new URL("../support/crash-launch.mjs", import.meta.url));
    const self = [process.execPath, SORTIE];
    const killed = await project.sortie.runner.run(
      [process.execPath, program, JSON.stringify({ wish, dieAt, self })],
      { env: project.sortie.makeEnv(project.env), cwd: project.sortie.project(), timeoutMs: 60_000 },
    );
    expect(killed.signal).toBe("SIGKILL");
    const kept = readFileSync(join(project.sortie.home(), "plans", killed.stdout, "script"), "utf8");
    expect(readScript()).toBe(dieAt === "plan_used" ? before : kept);
    const { runs } = await ask(["ls"]);
    expect(runs).toMatchObject([{ state: "failed", endReason: "never_started" }]);
    expect(await ask(["confirm", killed.stdout])).toMatchObject({ error: { code: "plan_used" } });
  });

  it("leaves a plan that was not used to be confirmed where the script is the new one already", async () => {
    configure("wandb: true", "wandb_project: digits");
    addScript();
    const { plan } = await project.run([]);
    writeFileSync(path("train.py"), readFileSync(join(project.sortie.home(), "plans", plan.id, "script")));
    expect(await ask(["confirm", plan.id])).toMatchObject({ exit: 0, run: { state: "succeeded" } });
  });
});
