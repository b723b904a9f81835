import { expect, it } from "vitest";
import { formatMachines } from "../../src/cli/views/format-machines.ts";
import type { Machine } from "../../src/supervise/rent/list-machines.ts";
import { useRentStage } from "../support/rent-stage.ts";
import { useSshd } from "../support/sshd.ts";
import { endAfter } from "../support/vast/lives.ts";

const sshd = useSshd();
const stage = useRentStage(sshd);

it("a GPU that is not to be had under that name is told, with those that are; nothing is rented", async () => {
  stage.writeSection("gpu_name: A100");
  stage.vast().addOffer({ gpuName: "RTX 4090" });
  stage.vast().addOffer({ gpuName: "A100 SXM4" });
  const others = "The name of a GPU is matched exactly, and no A100 is to be had; there are: A100 SXM4.";
  const search = await stage.run("vast", "search");
  expect([search.exitCode, search.stdout]).toEqual([5, expect.stringContaining(others)]);
  const { error } = await stage.ask("run", "--yes", "--max-cost", "1", "--", "true");
  expect(error).toMatchObject({ code: "rent_market_empty", hint: expect.stringContaining(others) });
  expect(stage.vast().readLedger()).toEqual([]);
});

it("the doctor looks at the key, the SSH key on the account, and the instance", async () => {
  stage.writeSection("vast_instance: 123456");
  stage.vast().addInstance({ id: 123456, life: endAfter(0, "exited") });
  stage.vast().account.sshKeys.length = 0;
  const { findings } = await stage.ask("doctor");
  const seen = findings.filter(({ what }: { what: string }) => what.startsWith("vast-ai"));
  expect(seen).toMatchObject([
    { what: "vast-ai key", level: "ok", detail: "from VAST_API_KEY" },
    { what: "vast-ai instance", level: "warning", detail: expect.stringMatching(/^123456, .* exited, \$/) },
    { what: "vast-ai SSH key", level: "warning", detail: expect.stringContaining("0 on the account") },
  ]);
});

it("many machines with odd labels stand in a table that a terminal holds", () => {
  const labels = [null, "\u001b[31mred\u001b[0m", "名".repeat(60), "two\nlines", "x".repeat(300)];
  const machines = Array.from(
    { length: 40 },
    (_, index): Machine => ({
      ...{ number: 30_000_000 + index, gpus: "8 × RTX PRO 6000 WS", status: "running", statusMessage: null },
      ...{
        dollarsPerHour: 12.5,
        storageDollarsPerHour: 0.01,
        ageHours: 1000,
        dollars: 12_500,
        keptFor: null,
      },
      ...{ label: labels[index % labels.length] ?? null, runs: [], labelledAs: null, listed: null },
    }),
  );
  for (const width of [80, 200]) {
    const list = { machines, missing: [], proposals: [], credit: null, listedInVain: [] };
    const lines = formatMachines(list, width);
    expect(lines).toHaveLength(41);
    for (const line of lines) {
      expect([...line].length).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(/\p{Cc}/u);
      expect(line).toMatch(/RUN|not known here/);
    }
  }
});
