import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { closeDesk, openDesk } from "../desk.ts";
import { planAddUser } from "../host/add-user.ts";
import { initGateway } from "../host/init-gateway.ts";
import { loadUsers } from "../host/list-users.ts";
import { loadHostConfig } from "../host/load-config.ts";
import { listPlannedNames, loadPlan } from "../plan.ts";
import { sweepPlans } from "../sweep-plans.ts";
import { isActionPlan } from "./action-plan.ts";
import { confirmAction } from "./confirm-action.ts";

const folder = useTempFolder();
const HOUR_MS = 3600 * 1000;

const open = () => {
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) };
  const desk = openDesk({ env: { SORTIE_HOME: join(folder(), "home") }, self: [], clock });
  onTestFinished(() => closeDesk(desk));
  const config = loadHostConfig(initGateway(folder()));
  const refuse = (id: string, code: string) =>
    expect(confirmAction(desk, id)).rejects.toMatchObject({ code, exit: 4 });
  return { desk, config, refuse, pass: (ms: number) => (aheadMs += ms) };
};

it("is refused once it has expired, or is not what was shown", async () => {
  const { desk, config, refuse, pass } = open();
  const changed = await planAddUser(desk, config, { email: "amy@example.org" });
  desk.store.change("UPDATE plans SET body = replace(body, 'amy@', 'eve@') WHERE id = ?", changed.id);
  await refuse(changed.id, "plan_stale");
  const late = await planAddUser(desk, config, { email: "amy@example.org" });
  pass(25 * HOUR_MS);
  await refuse(late.id, "plan_expired");
  expect(await loadUsers(config)).toEqual([]);
});

it("of another version of Sortie is refused, and not used up", async () => {
  const { desk, config, refuse } = open();
  const plan = await planAddUser(desk, config, { email: "amy@example.org" });
  const { action, terms, sideEffects } = { ...plan, action: "gateway paint" };
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256").update(JSON.stringify({ action, terms, sideEffects })).digest("hex");
  desk.store.change(
    "UPDATE plans SET body = ? WHERE id = ?",
    JSON.stringify({ ...plan, action, hash }),
    plan.id,
  );
  await refuse(plan.id, "plan_stale");
  expect(desk.store.find("SELECT run_id FROM plans")?.["run_id"]).toBeNull();
});

it("is no plan of a run, gives no name to one, and is swept away like one", async () => {
  const { desk, config, pass } = open();
  const { id } = await planAddUser(desk, config, { email: "amy@example.org" });
  expect(isActionPlan(desk, id)).toBe(true);
  expect(() => loadPlan(desk, id)).toThrow(expect.objectContaining({ code: "plan_unknown" }));
  expect(listPlannedNames(desk)).toEqual([]);
  pass(9 * 24 * HOUR_MS);
  sweepPlans(desk);
  expect(() => isActionPlan(desk, id)).toThrow(expect.objectContaining({ code: "plan_unknown" }));
});
