import { describe, expect, it } from "vitest";
import type { GatewayOptions, JobSpec } from "./gateway-options.ts";
import { startGateway } from "./start-gateway.ts";

describe("a program that embeds a gateway is told what is wrong with", () => {
  it.each([
    [{ host: "" }, "host"],
    [{ port: "abc" }, "port"],
    [{ port: 65_536 }, "port"],
    [{ timers: { pingMs: -1 } }, "timers.pingMs"],
    [{ timers: { pingMs: Number.NaN } }, "timers.pingMs"],
    [{ timers: { ping: 1 } }, "timers"],
    [{ flags: { nonsense: 1 } }, "flags"],
    [{ flags: { capScope: "all" } }, "flags.capScope"],
  ])("its options %j", async (options, what) => {
    await expect(startGateway(options as GatewayOptions)).rejects.toMatchObject({
      code: "gateway_option_bad",
      details: { what },
    });
  });

  it("a flag, and which values it has", async () => {
    const flags = { capScope: "all" } as unknown as GatewayOptions["flags"];
    await expect(startGateway({ flags })).rejects.toMatchObject({ hint: 'Give it "user" or "job".' });
  });

  const spec: JobSpec = {
    owner: "ann",
    parallelism: 1,
    cases: [{ task: "pick", index: 0, seed: 0 }],
    simulator: () => Promise.resolve({ score: 1, steps: 1 }),
  };

  it.each([
    [{}, "owner"],
    [{ ...spec, uuid: "" }, "uuid"],
    [{ ...spec, parallelism: -1 }, "parallelism"],
    [{ ...spec, parallelism: Number.NaN }, "parallelism"],
    [{ ...spec, parallelism: 1.5 }, "parallelism"],
    [{ ...spec, cases: [{}] }, "cases"],
    [{ ...spec, simulator: undefined }, "simulator"],
  ])("a job %#", async (job, what) => {
    const gateway = await startGateway();
    try {
      expect(() => gateway.addJob(job as JobSpec)).toThrow(
        expect.objectContaining({ code: "gateway_option_bad", details: expect.objectContaining({ what }) }),
      );
    } finally {
      await gateway.stop(0);
    }
  });
});
