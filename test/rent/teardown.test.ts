import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatMachines } from "../../src/cli/views/format-machines.ts";
import type { RunRecord } from "../../src/runs/run-record.ts";
import { changeRun, insertRun, loadRun } from "../../src/runs/run-store.ts";
import { isEnded } from "../../src/runs/states.ts";
import { cleanRuns, planClean } from "../../src/supervise/clean-runs.ts";
import { type CollectTries, isTryDue, mayComeHome } from "../../src/supervise/collect-tries.ts";
import { loadRunNow } from "../../src/supervise/find-runs.ts";
import { listNotices } from "../../src/supervise/news/outbox-store.ts";
import { listDueInstances } from "../../src/supervise/rent/due-instances.ts";
import type { Instance } from "../../src/supervise/rent/instance.ts";
import { changeInstance, findInstanceOf, insertInstance } from "../../src/supervise/rent/instance-store.ts";
import { keepInstance } from "../../src/supervise/rent/keep-instance.ts";
import { listMachines } from "../../src/supervise/rent/list-machines.ts";
import { planDestroy } from "../../src/supervise/rent/plan-destroy.ts";
import { recordRental } from "../../src/supervise/rent/record-rental.ts";
import { settleInstance } from "../../src/supervise/rent/settle-instance.ts";
import { showMachine } from "../../src/supervise/rent/show-machine.ts";
import { collectFromHost } from "../../src/supervise/watch-host.ts";
import { type RentalCase, withRentalCase } from "../support/rental-case.ts";
import { useSshd } from "../support/sshd.ts";
import { onDestroy } from "../support/vast/rules.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const HOUR_MS = 3_600_000;

/** A run that has ended on its machine, and is not home; what a watcher would do is done here. */
async function launch(rental: RentalCase, script?: string) {
  expect(await rental.rent({ ...(script && { script }) }).ended).toMatchObject({ exitCode: 0, stderr: "" });
  const [{ run }] = rental.look() as [ReturnType<RentalCase["look"]>[number]];
  const { quick } = rental;
  await waitFor(async () => isEnded((await loadRunNow(quick, run.id)).state), { what: "its end" });
  const tries: CollectTries = new Map();
  const work = { desk: quick, onStep: () => undefined, tell: () => undefined, tries };
  return {
    ...{ run, tries },
    /** Tries to bring it home, whether or not that is due. */
    collect: () => collectFromHost(work, [load()]),
    load,
    machine: () => findInstanceOf(quick.store, run.id) as Instance,
    settle: () => settleInstance(quick, findInstanceOf(quick.store, run.id) as Instance),
    countKept: () => rental.listKinds(run).filter((kind) => kind === "instance_kept").length,
  };

  function load(): RunRecord {
    return loadRun(quick.store, run.id);
  }
}

describe("L46 a machine is destroyed only once all that was made there is home", () => {
  it("L46 results that are cut on their way are fetched on, and only then it goes", () =>
    withRentalCase(sshd(), async (rental) => {
      const { quick, vast } = rental;
      const script = "mkdir -p results; head -c 3000000 /dev/urandom >results/a";
      const { collect, load, settle, machine, tries, run } = await launch(rental, script);
      sshd().proxy.cutAfter("down", 1_800_000);
      await collect();
      expect(load()).toMatchObject({ results: null, collectFault: expect.any(String) });
      expect(listDueInstances(quick)).toEqual([]);
      await settle();
      expect([machine().state, vast.count(onDestroy)]).toEqual(["ready", 0]);
      expect(mayComeHome(tries, run)).toBe(true);
      await collect();
      expect(load().results).toMatchObject([{ path: "results/a", bytes: 3_000_000, changing: false }]);
      expect(listDueInstances(quick)).toHaveLength(1);
      expect(await settle()).toBe(true);
      expect([machine().state, vast.count(onDestroy)]).toEqual(["gone", 1]);
    }));
});

describe.concurrent("L46 a machine stays while something made there is not home", () => {
  it("L46 a file that changes all the while keeps it until its money is spent; then that is told once", () =>
    withRentalCase(sshd(), async (rental) => {
      const { quick, vast } = rental;
      const { collect, load, settle, machine, tries, run, countKept } = await launch(rental);
      const file = join(rental.folder, "host/code/results/a");
      const writer = setInterval(() => appendFileSync(file, "more\n"), 2);
      try {
        for (let times = 1; times <= 3; times += 1) {
          await collect();
          expect(tries.get(run.id)).toMatchObject({ times, isOver: false });
        }
        expect(load()).toMatchObject({ results: null, collectFault: expect.stringMatching(/changed while/) });
        expect(isTryDue(quick, tries, run)).toBe(false);
        await quick.clock.sleep(HOUR_MS);
        expect(isTryDue(quick, tries, run)).toBe(true);
        await settle();
        expect(countKept()).toBe(0);
        await quick.clock.sleep(5 * HOUR_MS); // $0.40 an hour, and $2 in all
        await collect();
      } finally {
        clearInterval(writer);
      }
      expect(load().results).toMatchObject([{ path: "results/a", changing: true }]);
      expect(listDueInstances(quick)).toHaveLength(1);
      await settle();
      await settle();
      expect(machine()).toMatchObject({
        state: "ready",
        keptFor: expect.stringMatching(/still writes there/),
      });
      expect([countKept(), vast.count(onDestroy), listDueInstances(quick).length]).toEqual([1, 0, 0]);
    }));

  it("L46 results that never come home: tried until its money is spent, then told once, and it is kept", () =>
    withRentalCase(sshd(), async (rental) => {
      const { quick, vast } = rental;
      const { collect, settle, machine, tries, run, countKept } = await launch(rental);
      const runs = join(quick.home.root, "runs");
      rmSync(runs, { recursive: true, force: true });
      writeFileSync(runs, "no folder");
      for (let times = 1; times <= 6; times += 1) await collect();
      expect([mayComeHome(tries, run), countKept()]).toEqual([true, 0]);
      await quick.clock.sleep(6 * HOUR_MS);
      await collect();
      expect([mayComeHome(tries, run), countKept()]).toEqual([false, 1]);
      await settle();
      expect(machine()).toMatchObject({ state: "ready", keptFor: expect.stringMatching(/are not home/) });
      expect([countKept(), vast.count(onDestroy)]).toEqual([1, 0]);
      const forgotten = planClean(quick, { names: [], olderThanS: 0, lost: [run.id] });
      await expect(forgotten).rejects.toMatchObject({ code: "machine_open" });
      expect((await planClean(quick, { names: [], olderThanS: 0, lost: [] })).away).toEqual([]);
      const lines = formatMachines(await listMachines(quick, rental.sortie.project()), 200).join("\n");
      expect(lines).toMatch(/was not destroyed: the results .* not home/);
    }));
});

describe.concurrent("a vendor that does not do what was asked", () => {
  it("what another run of yours has left there keeps it, and it is gone for both at once", () =>
    withRentalCase(sshd(), async ({ quick, vast, ...rental }) => {
      const { collect, load, settle, machine, run } = await launch({ quick, vast, ...rental });
      const mate = { ...load(), id: "r-mate", name: "mate" };
      insertRun(quick.store, mate);
      insertInstance(quick.store, { ...machine(), run: mate.id });
      await collect();
      await settle();
      expect(machine().keptFor).toMatch(/other runs of yours are on it: mate \(its results are not home\)/);
      changeRun(quick.store, mate.id, { results: [] });
      await settleInstance(quick, findInstanceOf(quick.store, mate.id) as Instance);
      expect(vast.readLedger()).toMatchObject([{ label: run.id, destroyedAt: expect.any(Date) }]);
      expect(machine()).toMatchObject({ state: "gone", keptFor: null });
    }));

  it("a refusal is said and tried again; a machine that lingers is gone only when it is read back", () =>
    withRentalCase(sshd(), async (rental) => {
      const { quick, vast } = rental;
      const { collect, settle, machine, countKept, run } = await launch(rental);
      await collect();
      const answer = { status: 400, body: { success: false, error: "invalid_args", msg: "not now" } };
      vast.on({ ...onDestroy, times: 2, answer });
      expect([await settle(), await settle(), countKept()]).toEqual([false, false, 1]);
      expect(machine()).toMatchObject({
        state: "destroy_intended",
        keptFor: expect.stringMatching(/not now/),
      });
      expect(showMachine(quick, run.id)?.words.join("\n")).toMatch(/was not destroyed: .*not now/);
      vast.settings.lingerS = 400;
      expect([await settle(), countKept()]).toEqual([false, 2]);
      expect(machine()).toMatchObject({ state: "destroy_intended", goneAt: null });
      while (!(await settle())) expect(machine().state).toBe("destroy_intended");
      expect(machine().state).toBe("gone");
      const [billed] = vast.readLedger();
      expect(Date.parse(machine().goneAt ?? "")).toBeGreaterThanOrEqual(Number(billed?.destroyedAt));
    }));
});

it("a machine that stays is told once for each reason, with what it costs and what ends that", () =>
  withRentalCase(sshd(), async (rental) => {
    const person = join(rental.folder, "told");
    mkdirSync(join(person, ".codex"), { recursive: true });
    const webhook_url = "http://127.0.0.1:9/open-apis/bot/v2/hook/0a1b2c3d";
    const settings = JSON.stringify({ mode: "push", webhook_url });
    writeFileSync(join(person, ".codex/feishu.json"), settings, { mode: 0o600 });
    const desk = { ...rental.quick, env: { ...rental.quick.env, HOME: person } };
    const plan = await rental.plan();
    const { id } = recordRental(desk, plan.terms, plan);
    changeInstance(desk.store, id, { state: "ready", number: 5 });
    const keep = (reason: string) =>
      keepInstance(desk, findInstanceOf(desk.store, id) as Instance, reason, { as: "vast_refused" });
    for (const reason of ["not now (request 1)", "not now (request 1)", "not now (request 2)"])
      await keep(reason);
    const notices = listNotices(desk.store, 9);
    expect(notices).toHaveLength(1);
    expect(JSON.stringify(notices)).toMatch(/instance 5 still costs \$0\.4.* an hour.*sortie vast destroy 5/);
  }));

describe.concurrent("L48 what is in the account, and not known here", () => {
  it("L48 is shown with its age and cost, never destroyed, and no command destroys it", () =>
    withRentalCase(sshd(), async (rental) => {
      const { quick, vast } = rental;
      const { collect, settle, run, machine } = await launch(rental);
      vast.addInstance({ id: 777, label: "somebody's own", ageS: 7200, offer: { dollarsPerHour: 0.5 } });
      vast.addInstance({ id: 778, label: run.id });
      const list = await listMachines(quick, rental.sortie.project());
      const [stranger, labelled, ours] = list.machines;
      expect(stranger).toMatchObject({ number: 777, runs: [], labelledAs: null });
      expect(stranger?.ageHours).toBeCloseTo(2, 1);
      expect(stranger?.dollars).toBeCloseTo(2 * (stranger?.dollarsPerHour ?? 0), 1);
      expect(labelled).toMatchObject({ number: 778, runs: [], labelledAs: { name: run.name } });
      expect(ours).toMatchObject({ number: machine().number, runs: [{ id: run.id }] });
      const lines = formatMachines(list, 200).join("\n");
      expect(lines).toMatch(/777 .*\$1\.\d+ .*not known here \(label somebody's own\)/);
      expect(lines).toMatch(/778 .*not known here \(labelled as .*, which is on 30000001\)/);
      const refused = expect.objectContaining({ code: "instance_unknown", exit: 2 });
      for (const number of [777, 778]) expect(() => planDestroy(quick, number)).toThrow(refused);
      await collect();
      expect(await settle()).toBe(true);
      expect(vast.list().map(({ id }) => id)).toEqual([777, 778]);
      await cleanRuns(quick, await planClean(quick, { names: [run.id], olderThanS: 0, lost: [] }));
      expect(rental.look()).toEqual([]);
    }));
});
