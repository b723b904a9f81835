import { loadGatewayConfig } from "../../gateway/config/load-gateway-config.ts";
import { findJob, listLiveJobs } from "../../gateway/records/jobs.ts";
import { listSimulatorKeys } from "../../gateway/records/simulator-keys.ts";
import { findUser, findUserByEmail } from "../../gateway/records/users.ts";
import type { Store } from "../../store/store.ts";
import type { Condition } from "../actions/action-plan.ts";
import { type CasesTold, findCaseChange } from "./cases-told.ts";
import { describeStage } from "./describe-job.ts";
import { describeLimit, findConfigured, type UserLimit } from "./user-limits.ts";

/** What an organiser's plan rests on and tells, looked at again when it is confirmed. */
export type HostCondition = Condition &
  (
    | { readonly kind: "no_user"; readonly email: string }
    /** The user of that number is there, with that address. */
    | { readonly kind: "user"; readonly id: number; readonly email: string }
    | { readonly kind: "password"; readonly id: number; readonly age: number }
    | {
        readonly kind: "limit";
        readonly id: number;
        readonly limit: UserLimit;
        readonly value: number | null;
      }
    /** What the configuration gives those who have no limit of their own. */
    | {
        readonly kind: "configured";
        readonly file: string;
        readonly limit: UserLimit;
        readonly value: number;
      }
    | { readonly kind: "live_jobs"; readonly userId: number; readonly jobs: readonly number[] }
    | { readonly kind: "board"; readonly file: string; readonly board: string; readonly simulator: string }
    | { readonly kind: "simulator"; readonly id: number }
    | { readonly kind: "job"; readonly id: number; readonly stage: string }
    | ({ readonly kind: "cases" } & CasesTold)
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
    case "password":
      if ((findUser(records, condition.id)?.passwordAge ?? condition.age) === condition.age) return undefined;
      return "the password was changed";
    case "limit": {
      const { id, limit, value } = condition;
      const now = findUser(records, id)?.[limit];
      if (now === undefined || now === value) return undefined;
      return `the user's ${limit} is ${now ?? "the configured one"} now, and was ${value ?? "the configured one"}`;
    }
    case "configured": {
      const { file, limit, value } = condition;
      const now = findConfigured(loadGatewayConfig(file), limit);
      if (now === value) return undefined;
      return `${file} gives ${describeLimit(now, limit)} now, and gave ${describeLimit(value, limit)}`;
    }
    case "live_jobs": {
      const now = listLiveJobs(records).filter(({ userId }) => userId === condition.userId);
      if (now.map(({ id }) => id).join() === condition.jobs.join()) return undefined;
      return `the user has ${nameJobs(now.map(({ id }) => id))} now, and had ${nameJobs(condition.jobs)}`;
    }
    case "board":
      return describeBoardBreak(condition);
    case "simulator":
      if (listSimulatorKeys(records).some(({ id }) => id === condition.id)) return undefined;
      return `the simulator key ${condition.id} is gone`;
    case "job": {
      const { id, stage } = condition;
      const job = findJob(records, id);
      const now = job === undefined ? "gone" : describeStage(job.status);
      return now === stage ? undefined : `job ${id} is ${now}, and was ${stage}`;
    }
    case "cases":
      return findCaseChange(records, condition);
    default:
      return "this version of Sortie does not know all that it rests on";
  }
}

function describeBoardBreak({
  file,
  board,
  simulator,
}: Extract<HostCondition, { kind: "board" }>): string | undefined {
  const now = loadGatewayConfig(file).boards.find(({ name }) => name === board)?.simulator;
  if (now === simulator) return undefined;
  if (now === undefined) return `${file} has no board ${board} any more`;
  return `the simulator of board ${board} is ${now} now, and was ${simulator}`;
}

function nameJobs(ids: readonly number[]): string {
  if (ids.length === 0) return "no live job";
  return `the live ${ids.length === 1 ? "job" : "jobs"} ${ids.join(", ")}`;
}
