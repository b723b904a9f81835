import { expect } from "vitest";
import { REMOTE_STEPS } from "../../src/supervise/launch-steps.ts";
import { type RentalCase, withRentalCase } from "./rental-case.ts";
import type { TestSshd } from "./sshd.ts";
import { onCreate } from "./vast/rules.ts";

/** Whoever rents is killed right after a step of that; then all is settled. */
export const killRenter = (sshd: TestSshd, step: string) =>
  withRentalCase(sshd, async (rental) => {
    const { signal, stderr } = await rental.rent({ dieAt: step }).ended;
    expect([signal, stderr]).toEqual(["SIGKILL", ""]);
    await expectSettled(rental, { made: step === "created" || step === "ready", ran: false });
  });

/** The vendor has made the machine, and whoever rents it never learns of that. */
export const killInCall = (sshd: TestSshd) =>
  withRentalCase(sshd, async (rental) => {
    const renter = rental.rent({});
    rental.vast.on({ ...onCreate, answer: "hang", isDone: true, after: renter.kill });
    expect(await renter.ended).toMatchObject({ signal: "SIGKILL" });
    await expectSettled(rental, { made: true, ran: false });
  });

/** Whoever launches on the machine is killed right after a step of the launch. */
export const killLauncher = (sshd: TestSshd, step: (typeof REMOTE_STEPS)[number]) =>
  withRentalCase(sshd, async (rental) => {
    const { signal, stderr } = await rental.rent({ dieAtLaunch: step }).ended;
    expect([signal, stderr]).toEqual(["SIGKILL", ""]);
    await expectSettled(rental, {
      made: true,
      ran: REMOTE_STEPS.indexOf(step) >= REMOTE_STEPS.indexOf("started"),
    });
  });

/** Who sees to the end of the machine is killed right after a step of that. */
export const killWatcher = (sshd: TestSshd, step: string) =>
  withRentalCase(sshd, async (rental) => {
    expect(await rental.rent({}).ended).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await rental.watch(step)).toMatchObject({ signal: "SIGKILL" });
    await expectSettled(rental, { made: true, ran: true });
  });

/** One run, and at most one machine, which is known, gone, and was not destroyed before the results were home. */
async function expectSettled(rental: RentalCase, { made, ran }: { made: boolean; ran: boolean }) {
  const [seen, ...others] = await rental.settle();
  expect(others).toEqual([]);
  const { run, machine } = seen as NonNullable<typeof seen>;
  const wanted = ran
    ? { state: "succeeded", results: [{ path: "results/a" }] }
    : { state: "failed", results: [] };
  expect(run).toMatchObject(wanted);
  const ledger = rental.vast.readLedger();
  expect(ledger).toMatchObject(made ? [{ label: run.id, destroyedAt: expect.any(Date) }] : []);
  expect(rental.vast.count(onCreate)).toBe(made ? 1 : 0);
  expect([machine.number, ...machine.earlier.map(({ number }) => number)]).toContain(
    ledger[0]?.instance ?? null,
  );
  expect(rental.countRuns()).toBe(ran ? 1 : 0);
  const kinds = rental.listKinds(run);
  if (ran) expect(kinds.indexOf("destroy_intended")).toBeGreaterThan(kinds.indexOf("collected"));
}
