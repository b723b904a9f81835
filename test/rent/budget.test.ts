import { describe, expect, it } from "vitest";
import { giveUpRental } from "../../src/supervise/rent/give-up-rental.ts";
import { recordRental } from "../../src/supervise/rent/record-rental.ts";
import { withRentalCase } from "../support/rental-case.ts";
import { useSshd } from "../support/sshd.ts";
import { runAfter } from "../support/vast/lives.ts";
import { onCreate } from "../support/vast/rules.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const LOAD_S = 600;

describe.concurrent("one budget for all that is rented under it", () => {
  it("of two launchers at once one rents, and the other is refused before anything is rented", () =>
    withRentalCase(sshd(), async (rental) => {
      rental.writeSection("auto_destroy: true", "max_budget: 1");
      rental.vast.settings.life = () => runAfter(LOAD_S);
      const flags = ["--yes", "--unguarded", "--gpus", "none"];
      const run = () => rental.ask("run", ...flags, "--", "sh", "-c", "mkdir -p results; echo 1 >results/a");
      const runs = [run(), run()];
      const first = await Promise.race(runs);
      expect(first).toMatchObject({ exit: 2, error: { code: "rent_over_budget" } });
      await waitFor(() => rental.vast.count(onCreate) === 1, { what: "the machine of the other" });
      rental.vast.clock.shift(LOAD_S * 1000);
      const answers = await Promise.all(runs);
      expect(answers.map(({ exit }) => exit).sort()).toEqual([0, 2]);
      expect(rental.vast.readLedger()).toMatchObject([{ destroyedAt: expect.any(Date) }]);
    }));

  it("a cap of a run's own shares it with nobody, and what is over takes nothing of it", () =>
    withRentalCase(sshd(), async (rental) => {
      rental.writeSection("auto_destroy: true", "max_budget: 1");
      const [own, first, second] = [await rental.plan(), await rental.plan({}), await rental.plan({})];
      expect(new Set([own, first, second].map(({ terms }) => terms.name)).size).toBe(3);
      const record = ({ terms, id, notes }: typeof own) =>
        recordRental(rental.quick, { ...terms, name: id }, { id, notes });
      record(own);
      const run = record(first);
      expect(() => record(second)).toThrow(
        expect.objectContaining({ code: "rent_over_budget", message: expect.stringContaining(first.id) }),
      );
      await giveUpRental(rental.quick, run.id);
      record(second);
      expect(rental.vast.count(onCreate)).toBe(0);
    }));
});
