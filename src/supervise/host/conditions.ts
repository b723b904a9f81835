import { loadGatewayConfig } from "../../gateway/config/load-gateway-config.ts";
import { findCase } from "../../gateway/records/cases.ts";
import { findJob } from "../../gateway/records/jobs.ts";
import { listSimulatorKeys } from "../../gateway/records/simulator-keys.ts";
import { findUser, findUserByEmail } from "../../gateway/records/users.ts";
import type { Store } from "../../store/store.ts";
import type { Condition } from "../actions/action-plan.ts";
import { describeStatus, isLiveStatus } from "./describe-job.ts";

/** What an organiser's plan rests on, looked at again when it is confirmed. */
export type HostCondition = Condition &
  (
    | { readonly kind: "no_user"; readonly email: string }
    /** The user of that number is there, with that address. */
    | { readonly kind: "user"; readonly id: number; readonly email: string }
    | { readonly kind: "board"; readonly file: string; readonly board: string }
    | { readonly kind: "simulator"; readonly id: number }
    | { readonly kind: "job_live"; readonly id: number }
    | { readonly kind: "case_failed"; readonly id: number }
  );

/** What no longer holds, in words. */
export function findBroken(records: Store, conditions: readonly HostCondition[]): string[] {
  return conditions.flatMap((condition) => describeBreak(records, condition) ?? []);
}

function describeBreak(records: Store, condition: HostCondition): string | undefined {
  switch (condition.kind) {
    case "no_user":
      if (findUserByEmail(records, condition.email) === undefined) return undefined;
      return `there is a user ${condition.email} now`;
    case "user":
      if (findUser(records, condition.id)?.email === condition.email) return undefined;
      return `the user ${condition.email} is gone`;
    case "board":
      if (loadGatewayConfig(condition.file).boards.some(({ name }) => name === condition.board))
        return undefined;
      return `${condition.file} has no board ${condition.board} any more`;
    case "simulator":
      if (listSimulatorKeys(records).some(({ id }) => id === condition.id)) return undefined;
      return `the simulator key ${condition.id} is gone`;
    case "job_live": {
      const job = findJob(records, condition.id);
      if (job !== undefined && isLiveStatus(job.status)) return undefined;
      return `job ${condition.id} is ${job === undefined ? "gone" : describeStatus(job.status)}`;
    }
    case "case_failed": {
      const found = findCase(records, condition.id);
      if (found?.state === "failed") return undefined;
      return `case ${condition.id} is ${found?.state ?? "gone"}`;
    }
  }
}
