import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/runs/run-record.ts";
import { confirmAction } from "../../src/supervise/actions/confirm-action.ts";
import { openLog } from "../../src/supervise/open-log.ts";
import { loadRentalTarget } from "../../src/supervise/rent/load-rental-target.ts";
import type { RentalPlan } from "../../src/supervise/rent/plan-rental.ts";
import { recordRental } from "../../src/supervise/rent/record-rental.ts";
import { rentInstance } from "../../src/supervise/rent/rent-instance.ts";
import { executeRental } from "../../src/supervise/rent/run-rental.ts";
import { showMachine } from "../../src/supervise/rent/show-machine.ts";
import { stopRun } from "../../src/supervise/stop-run.ts";
import { type RentalCase, withRentalCase } from "../support/rental-case.ts";
import { useSshd } from "../support/sshd.ts";
import { failToCreate, loadForEver, loadSlowly, runAfter } from "../support/vast/lives.ts";
import { onCreate, onDestroy, onSearch, onShow } from "../support/vast/rules.ts";

const sshd = useSshd();

/** Rents, and waits until the machine answers; nothing is launched on it. Answers with its number. */
async function rent(rental: RentalCase, plan: RentalPlan): Promise<{ run: RunRecord; number?: number }> {
  const run = recordRental(rental.quick, plan.terms, plan);
  const target = await loadRentalTarget(rental.quick, plan.terms);
  const call = { onStep: () => undefined, onNews: () => undefined };
  const { instance } = await rentInstance(rental.quick, run, plan.terms, target, call);
  return { run, ...(instance && { number: instance.number }) };
}

const dead = (status: string) => [{ atS: 0, status, message: `it is ${status}` }];

describe.concurrent("L43 a machine that does not come up is destroyed, and gone before the next is tried", () => {
  it.each([
    ["loads for ever", loadForEver(), /nothing new for 5 min: loading/],
    ["exited", dead("exited"), /exited: it is exited/],
    ["is offline", dead("offline"), /offline/],
    ["has no container", failToCreate(), /Error response from daemon/],
  ])("L43 one that %s", (_, life, reason) =>
    withRentalCase(sshd(), async (rental) => {
      rental.vast.settings.life = (nth) => (nth === 0 ? life : runAfter(30));
      const { number } = await rent(rental, await rental.plan());
      const [first, second, ...others] = rental.vast.readLedger();
      expect(others).toEqual([]);
      expect(second).toMatchObject({ instance: number, destroyedAt: null });
      expect(Number(first?.destroyedAt)).toBeLessThanOrEqual(Number(second?.createdAt));
      const [{ machine }] = rental.look() as [ReturnType<typeof rental.look>[number]];
      expect(machine).toMatchObject({ number, state: "ready" });
      expect(machine.earlier).toMatchObject([
        { number: first?.instance, reason: expect.stringMatching(reason) },
      ]);
      expect(machine.earlier[0]?.dollars).toBeCloseTo(first?.dollars ?? Number.NaN, 3);
    }),
  );

  it("L43 one that loads slowly, and gets on, is waited for", () =>
    withRentalCase(sshd(), async (rental) => {
      rental.vast.settings.life = () => loadSlowly(6, 200);
      await rent(rental, await rental.plan());
      expect(rental.vast.readLedger()).toMatchObject([{ destroyedAt: null }]);
    }));

  it("L43 all tries together stay below the cap", () =>
    withRentalCase(sshd(), async (rental) => {
      rental.vast.settings.life = () => loadForEver();
      const plan = await rental.plan({ max_cost: "0.05" });
      await expect(executeRental(rental.quick, plan.terms, { secrets: {} }, plan)).rejects.toMatchObject({
        code: "rent_cap_reached",
      });
      const ledger = rental.vast.readLedger();
      expect(ledger).toMatchObject([{ destroyedAt: expect.any(Date) }, { destroyedAt: expect.any(Date) }]);
      expect(ledger.reduce((sum, { dollars }) => sum + dollars, 0)).toBeCloseTo(0.05, 2);
      expect(rental.look()).toMatchObject([{ run: { state: "failed" }, machine: { state: "gone" } }]);
    }));

  it("L43 no more machines are tried than the plan says", () =>
    withRentalCase(sshd(), async (rental) => {
      rental.vast.settings.life = () => dead("exited");
      rental.vast.addOffer({ dollarsPerHour: 0.41 });
      const plan = await rental.plan();
      await expect(executeRental(rental.quick, plan.terms, { secrets: {} }, plan)).rejects.toMatchObject({
        code: "rent_tries_used",
      });
      const gone = { destroyedAt: expect.any(Date) };
      expect(rental.vast.readLedger()).toMatchObject([gone, gone, gone]);
      expect(rental.look()).toMatchObject([{ run: { state: "failed" }, machine: { state: "gone" } }]);
    }));
});

describe.concurrent("what the vendor says and what it does", () => {
  it("a create that is answered 500 and makes a machine: found by its label, destroyed, the next is rented", () =>
    withRentalCase(sshd(), async (rental) => {
      rental.vast.on({ ...onCreate, answer: { status: 500, body: "oops" }, isDone: true });
      const { run, number } = await rent(rental, await rental.plan());
      expect(rental.vast.readLedger()).toMatchObject([
        { label: run.id, destroyedAt: expect.any(Date) },
        { label: run.id, instance: number, destroyedAt: null },
      ]);
    }));

  it("a price that is raised in the moment of renting: above what was agreed on it is destroyed, the next is rented", () =>
    withRentalCase(sshd(), async (rental) => {
      const plan = await rental.plan({ max_cost: "2", max_price: "0.55" });
      const [cheapest] = rental.vast.listOffers();
      rental.vast.on({ ...onSearch, after: () => rental.vast.setPrice(cheapest?.id ?? 0, 0.9) });
      const { number } = await rent(rental, plan);
      expect(rental.vast.readLedger()).toMatchObject([
        { offer: cheapest?.id, destroyedAt: expect.any(Date) },
        { instance: number, destroyedAt: null },
      ]);
    }));

  it("a price that is raised above what was agreed on before the plan is confirmed: stale, and nothing is rented", () =>
    withRentalCase(sshd(), async (rental) => {
      const plan = await rental.plan();
      for (const { id } of rental.vast.listOffers()) rental.vast.setPrice(id, 0.9);
      await expect(confirmAction(rental.quick, plan.id)).rejects.toMatchObject({
        ...{ code: "plan_stale", message: expect.stringMatching(/costs \$0\.9\d? an hour now/) },
      });
      expect([rental.vast.count(onCreate), rental.look()]).toEqual([0, []]);
    }));

  it("a machine that cannot be cleared away now: why it was not launched is told, and it is due until it is gone", () =>
    withRentalCase(sshd(), async (rental) => {
      rental.vast.settings.life = () => dead("exited");
      const refused = { status: 400, body: { success: false, error: "invalid_args", msg: "not now" } };
      rental.vast.on({ ...onDestroy, times: 2, answer: refused });
      const plan = await rental.plan();
      const lines: string[] = [];
      const call = { secrets: {}, onLine: (line: string) => lines.push(line) };
      await expect(executeRental(rental.quick, plan.terms, call, plan)).rejects.toMatchObject({
        code: "vast_refused",
      });
      expect(lines.join("\n")).toMatch(/may still cost money.*not now.*sortie vast ls/);
      expect(rental.look()).toMatchObject([
        {
          run: { state: "failed" },
          machine: { state: "created", keptFor: expect.stringMatching(/not now/) },
        },
      ]);
      expect(await rental.settle()).toMatchObject([{ machine: { state: "gone" } }]);
      expect(rental.vast.readLedger()).toMatchObject([{ destroyedAt: expect.any(Date) }]);
    }));

  it("whoever stops the run while its machine loads pays for no other one", () =>
    withRentalCase(sshd(), async (rental) => {
      rental.vast.settings.life = () => loadForEver();
      const plan = await rental.plan();
      const stops: Promise<unknown>[] = [];
      const stop = () => {
        const [seen] = rental.look();
        if (seen === undefined) return;
        stops.push(
          expect(openLog(rental.desk, seen.run)).rejects.toMatchObject({ code: "log_missing" }),
          stopRun(rental.desk, seen.run.id, { graceS: null }),
        );
        expect(showMachine(rental.desk, seen.run.id)?.words).toEqual([
          expect.stringMatching(/^instance \d+ is rented and not up yet: .*; give it up: sortie stop /),
        ]);
      };
      rental.vast.on({ ...onShow, after: stop });
      await expect(executeRental(rental.quick, plan.terms, { secrets: {} }, plan)).rejects.toMatchObject({
        code: "launch_called_off",
      });
      expect((await Promise.all(stops)).at(-1)).toMatchObject({ run: { endReason: "stopped" } });
      expect(rental.look()).toMatchObject([{ run: { state: "stopped" }, machine: { state: "gone" } }]);
      expect(rental.vast.readLedger()).toMatchObject([{ destroyedAt: expect.any(Date) }]);
    }));
});
