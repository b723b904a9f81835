import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useRentStage } from "../support/rent-stage.ts";
import { useSshd } from "../support/sshd.ts";

const sshd = useSshd();
const stage = useRentStage(sshd);

describe("a run on a machine that is rented for it", () => {
  it("goes from the offer to its results and the end of the machine, billed as reported", async () => {
    stage.writeSection("auto_destroy: true");
    stage.copyDigits();
    stage.writeSpec({ smoke: { import_names: ["csv"] } });
    stage.vast().addOffer({ dollarsPerHour: 0.9 });
    const cheap = stage.vast().addOffer({ dollarsPerHour: 0.4 });
    const flags = ["--yes", "--max-cost", "2"];
    const document = await stage.ask("run", ...flags, "--", "python3", "train.py", "--epochs", "2");
    expect(document.run).toMatchObject({ state: "succeeded", exitCode: 0 });
    const [billed, ...others] = stage.vast().readLedger();
    expect(others).toEqual([]);
    expect(billed).toMatchObject({ offer: cheap, label: document.run.id });
    expect(billed?.destroyedAt).not.toBeNull();
    expect(document.machine).toMatchObject({ number: billed?.instance, state: "gone", autoDestroy: true });
    expect(document.machine.dollars).toBeCloseTo(billed?.dollars ?? Number.NaN, 3);
    const shown = await stage.ask("show", document.run.id);
    expect(shown.environment.contract).toMatchObject({ name: "my-project", isUnverified: false });
    expect(shown.environment.python.path).toMatch(/envs\/my-project-[0-9a-f]{8}-1\//);
    expect(shown.results.length).toBeGreaterThan(0);
    for (const { path } of shown.results) expect(existsSync(join(shown.resultsFolder, path))).toBe(true);
  });

  it("spends nothing by --yes alone", async () => {
    stage.writeSection("auto_destroy: true");
    stage.vast().addOffer();
    const { exitCode, stdout, stderr } = await stage.run("run", "--yes", "--", "true");
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining("--yes alone never spends")]);
    expect(stdout).toMatch(/cheapest, best value and fastest: offer \d+, 1 × RTX 4090/);
    expect(stderr).toMatch(/sortie confirm p/);
    expect(stage.vast().readLedger()).toEqual([]);
  });
});

describe("an instance that the section names", () => {
  it("is used by its direct port, and is still there at the end, which is said", async () => {
    stage.writeSection(
      "vast_instance: 123456",
      "SSH: `ssh -p 12345 root@ssh.vast.ai`",
      "auto_destroy: false",
    );
    stage.copyDigits();
    stage.vast().addInstance({ id: 123456, label: null });
    const call = ["run", "--yes", "--gpus", "none", "--", "python3", "train.py", "--epochs", "1"];
    const { exitCode, stdout, stderr } = await stage.run(...call);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/instance 123456 .*127\.0\.0\.1:\d+ \(direct\)/);
    expect(stdout).toMatch(
      /instance 123456 is running and costs \$\d.*end that: sortie vast destroy 123456/s,
    );
    expect(stage.vast().readLedger()).toMatchObject([{ instance: 123456, destroyedAt: null }]);
    const { runs } = await stage.ask("ls");
    const shown = await stage.ask("show", runs[0].id);
    expect(shown.notes.join("\n")).toMatch(/cleanup: sortie vast destroy 123456/);
    expect(JSON.parse(readFileSync(join(shown.jobFolder, "meta.json"), "utf8")).notes).toEqual(shown.notes);
  });
});
