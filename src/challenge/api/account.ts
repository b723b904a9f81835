import { SortieError } from "../../base/error.ts";
import { makeShapeFault, needInteger, needText, readNumber, readRow } from "./reply-shape.ts";
import type { ApiSession } from "./session.ts";

export interface User {
  readonly name: string;
  /** Agents that may run at once; null: the server does not say. */
  readonly maxConcurrentCases: number | null;
}

/** Who is logged in. */
export async function loadUser(session: ApiSession): Promise<User> {
  return session.get("current-user-info", {
    read: (body) => {
      const row = readRow(body);
      return {
        name: needText(row["name"], "name"),
        maxConcurrentCases: readNumber(row["max_concurrent_cases"]),
      };
    },
  });
}

/** Submissions of today. */
export interface Quota {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

export async function loadQuota(session: ApiSession): Promise<Quota> {
  return session.get("submission/quota", {
    read: (body) => {
      const row = readRow(body);
      const limit = needInteger(row["limit"], "limit");
      const used = needInteger(row["used"], "used");
      return { limit, used, remaining: readNumber(row["remaining"]) ?? Math.max(0, limit - used) };
    },
  });
}

/** Whether a job may be submitted now, and if not, the server's words. */
export async function checkUpload(session: ApiSession): Promise<{ isOpen: boolean; reason: string | null }> {
  try {
    return await session.get("model/upload/check", { read: readCheck });
  } catch (thrown) {
    if (!(thrown instanceof SortieError) || thrown.code !== "challenge_refused") throw thrown;
    return { isOpen: false, reason: String(thrown.details["text"]) };
  }
}

/** The first servers answer true or false. */
function readCheck(body: unknown): { isOpen: boolean; reason: string | null } {
  if (typeof body === "boolean") return { isOpen: body, reason: null };
  const { status, error } = readRow(body);
  if (status === "ok" || status === true) return { isOpen: true, reason: null };
  if (status === undefined) throw makeShapeFault("there is no status in it");
  return { isOpen: false, reason: typeof error === "string" ? error : null };
}
