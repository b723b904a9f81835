import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type LinkProxy, startLinkProxy } from "../support/link-proxy.ts";
import { useRentStage } from "../support/rent-stage.ts";
import { useSshd } from "../support/sshd.ts";

const NUMBER = 123456;

const sshd = useSshd();
const stage = useRentStage(sshd);

/** A run that sleeps on the instance of the section, which is reached by a port that can go away. */
async function launchBehind(): Promise<{ id: string; gate: LinkProxy }> {
  const gate = await startLinkProxy(sshd().port);
  onTestFinished(() => gate.close());
  stage.vast().settings.direct = { host: "127.0.0.1", port: gate.port };
  stage.vast().addInstance({ id: NUMBER });
  stage.writeSection(`vast_instance: ${NUMBER}`);
  const flags = ["--yes", "--detach", "--gpus", "none", "--grace", "1"];
  const { run } = await stage.ask("run", ...flags, "--", "sh", "-c", "echo begun; sleep 300");
  return { id: run.id, gate };
}

describe("L44 a rented machine whose port has changed with its restart", () => {
  it("is found again by its own port before the vendor's proxy; one that is stopped is said to be, and stays", async () => {
    const list = join(stage.project(), "vast-instances.json");
    const others = '[ {"instance_id": 7, "status":"running", "dph": 0.10, "experiment": "exp07"}';
    writeFileSync(list, `${others},\n  {"instance_id": ${NUMBER}, "status": "loading"}]`);
    const { id, gate } = await launchBehind();
    const instance = stage.vast().find(NUMBER);
    if (instance === undefined) throw new Error("the instance is there");
    instance.direct = { host: "127.0.0.1", port: sshd().port };
    await gate.close();

    const shown = await stage.ask("show", id);
    expect(shown).toMatchObject({ state: "running", reachable: true, host: `root@127.0.0.1:${sshd().port}` });
    expect(shown.events.map(({ kind }: { kind: string }) => kind)).toContain("address_changed");
    expect(readFileSync(list, "utf8")).toBe(
      `${others},\n  {"instance_id":${NUMBER},"status":"running","ssh_url":"ssh://root@127.0.0.1:${sshd().port}",` +
        `"ssh_host":"127.0.0.1","ssh_port":${sshd().port},"experiment":"${shown.name}"}]`,
    );

    instance.intended = "stopped";
    sshd().proxy.onDial("reset");
    onTestFinished(() => sshd().proxy.onDial("pass"));
    sshd().proxy.cut();
    const { stdout } = await stage.run("show", id);
    expect(stdout).toMatch(/state +running \(not seen for .*does not run\)/);
    expect(stdout).toMatch(
      /The instance 123456 does not run: Vast\.ai says stopped, seen so since 20.*an hour for its disk/s,
    );
    expect(stdout).toMatch(/machine +instance 123456 does not run \(stopped\), .*sortie vast destroy 123456/);
    expect((await stage.run("ls")).stdout).toMatch(/does not run: Vast\.ai says stopped/);
    expect(stage.vast().readLedger()).toMatchObject([{ instance: NUMBER, destroyedAt: null }]);

    const machines = (await stage.run("vast", "ls")).stdout;
    expect(machines).toMatch(new RegExp(`123456 +stopped .* ${shown.name} \\(running\\)`));
    expect(machines).toContain("7 (exp07) is running by vast-instances.json, and not in the account.");

    const destroyed = await stage.run("vast", "destroy", String(NUMBER), "--force");
    expect(destroyed.stdout).toMatch(/Instance 123456 is gone from the account; it has cost \$/);
    expect(await stage.ask("show", id)).toMatchObject({
      ...{ state: "stopped", cause: "its machine, the instance 123456, was destroyed" },
      ...{ collectFault: expect.stringContaining("was destroyed"), machine: { state: "gone" } },
    });
    expect((await stage.run("logs", id)).stdout).toMatch(/begun/);
    const text = readFileSync(list, "utf8");
    expect(text.startsWith(others)).toBe(true);
    expect(JSON.parse(text)[1]).toMatchObject({ instance_id: NUMBER, status: "destroyed" });
  });
});
