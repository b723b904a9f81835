import type { VastCall } from "./answer-call.ts";
import type { Answer } from "./replies.ts";

/** What becomes of a call other than what the vendor would do. */
export interface Rule {
  /** Default: any. */
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Default: any. */
  readonly path?: RegExp;
  readonly body?: (body: VastCall["body"]) => boolean;
  /** Of calls; default: 1. */
  readonly times?: number;
  /** Default: what the vendor says. `hang`: taken and never answered; `cut`: the connection is reset. */
  readonly answer?: Answer | "hang" | "cut";
  /** Whether the call is done all the same; default: only where there is no other answer. */
  readonly isDone?: boolean;
  /** Called once the call was done, and before it is answered. */
  readonly after?: (call: VastCall) => void;
}

/** Renting, whatever comes of it. */
export const onCreate = { method: "PUT", path: /\/asks\/\d+\/$/ } as const;
export const onSearch = { method: "POST", path: /\/bundles\/$/ } as const;
export const onDestroy = { method: "DELETE", path: /\/instances\/\d+\/$/ } as const;
export const onShow = { method: "GET", path: /\/v0\/instances\/\d+\/$/ } as const;
export const onList = { method: "GET", path: /\/v1\/instances\/$/ } as const;

/** As it comes: plain text, and nothing about when to ask again. */
export const askedTooOften: Answer = {
  status: 429,
  body: "API requests too frequent: endpoint threshold=2.0",
};

/** Rules in the order they were made; each holds for its number of calls, then the next that fits. */
export function openRules() {
  const open: { rule: Rule; left: number }[] = [];
  return {
    add: (rule: Rule): void => {
      open.push({ rule, left: rule.times ?? 1 });
    },
    /** The rule for this call, used up by it; undefined: there is none. */
    take: (call: VastCall): Rule | undefined => {
      const found = open.find(({ rule, left }) => left > 0 && isMeant(rule, call));
      if (found !== undefined) found.left -= 1;
      return found?.rule;
    },
  };
}

function isMeant({ method, path, body }: Rule, call: VastCall): boolean {
  if (method !== undefined && method !== call.method) return false;
  return (path?.test(call.path) ?? true) && (body?.(call.body) ?? true);
}
