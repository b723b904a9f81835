import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { useVastDouble } from "../support/vast/vast-double.ts";

const VASTAI = join(import.meta.dirname, "../../.venv/bin/vastai");

const vast = useVastDouble();
const temp = useTempFolder();

/** The vendor's own program, as a person has it, in a home of its own; it speaks to the double alone. */
const ask = async (...args: string[]) => {
  const env = {
    ...{ PATH: process.env["PATH"], HOME: temp(), XDG_CONFIG_HOME: temp(), XDG_CACHE_HOME: temp() },
    ...{ XDG_STATE_HOME: temp(), SORTIE_TEST_FILE: process.env["SORTIE_TEST_FILE"] },
    ...vast().env, // what it asks at its start goes to VAST_URL, whatever --url says
    VASTAI_NO_UPDATE_CHECK: "1",
  };
  const outcome = await makeLocalRunner().run([VASTAI, "--url", vast().url, ...args, "--raw"], {
    ...{ env, cwd: temp(), timeoutMs: 60_000 },
  });
  expect(outcome).toMatchObject({ exitCode: 0, stderr: "" });
  return outcome.stdout.startsWith("{") || outcome.stdout.startsWith("[")
    ? JSON.parse(outcome.stdout)
    : outcome.stdout;
};

test("the vendor's own CLI rents and destroys at the double", async ({ skip }) => {
  skip(!existsSync(VASTAI), ".venv has no vastai: its installation was forbidden");
  const dear = vast().addOffer({ dollarsPerHour: 0.9, dlperf: 10 });
  const offer = vast().addOffer({ dollarsPerHour: 0.4 });
  vast().addOffer({ gpuName: "RTX 3090" });
  vast().settings.direct = { host: "127.0.0.1", port: 4_022 };

  const offers = await ask("search", "offers", "gpu_name=RTX_4090 num_gpus=1 gpu_ram>=24 reliability>0.9");
  expect(offers.map(({ id }: { id: number }) => id)).toEqual([offer, dear]);

  const create = ["create", "instance", `${offer}`, "--image", "pytorch/pytorch", "--disk", "20", "--ssh"];
  const created = await ask(...create, "--direct", "--label", "run 1", "--env", "-e A=b");
  const id = created.new_contract;
  expect(created).toMatchObject({ success: true, new_contract: expect.any(Number) });

  expect(await ask("show", "instances")).toMatchObject([{ id, label: "run 1", extra_env: { A: "b" } }]);
  const ports = { "22/tcp": [{ HostPort: "4022" }] };
  expect(await ask("show", "instance", `${id}`)).toMatchObject({ id, actual_status: "running", ports });
  expect(await ask("label", "instance", `${id}`, "run 2")).toContain(`label for ${id} set to run 2`);
  expect(await ask("stop", "instance", `${id}`)).toContain(`stopping instance ${id}`);
  expect(vast().find(id)).toMatchObject({ label: "run 2", intended: "stopped" });
  expect(await ask("start", "instance", `${id}`)).toContain(`starting instance ${id}`);
  expect(vast().find(id)).toMatchObject({ intended: "running" });
  await ask("destroy", "instance", `${id}`, "--yes"); // it says nothing, also where it was refused
  expect(await ask("show", "instance", `${id}`)).toEqual({ instances: null });
  expect(vast().readLedger()).toMatchObject([
    { instance: id, offer, label: "run 2", destroyedAt: expect.any(Date) },
  ]);
});
