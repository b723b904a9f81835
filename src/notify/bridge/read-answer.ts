import { readBridgeFault, showWords } from "./call-bridge.ts";

/** What one asks a person, about one plan. */
export interface Question {
  /** The id of the plan that the answer holds for, and for no other. */
  readonly plan: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** The answers that there are, in words: `approve`, `reject`. */
  readonly options: readonly string[];
}

/** `option: null` is no answer, never a yes: `reason` says why. */
export type Answer =
  | { readonly plan: string; readonly option: string; readonly by: string | null }
  | { readonly plan: string; readonly option: null; readonly reason: string };

export interface Asked {
  readonly question: Question;
  readonly messageId: string;
  readonly people: readonly string[];
}

const PLAN_ID = /\bp[0-9abcdefghjkmnpqrstvwxyz]{10}\b/g;

/**
 * What a bridge's reply to a poll says: an answer, none for good, or null where nobody has answered yet. Whatever the reply
 * names (message, plan, person) must be what was asked; where only some people may answer, it must name one of them.
 */
export function readAnswer(body: Readonly<Record<string, unknown>>, asked: Asked): Answer | null {
  const { question, messageId, people } = asked;
  const none = (reason: string): Answer => ({ plan: question.plan, option: null, reason });
  const fault = readBridgeFault(body);
  if (fault !== null) return none(`the bridge said: ${fault}`);
  if (body["timeout"] === true) return null;
  const { reply } = body;
  if (reply === undefined || reply === null) return none("the bridge's answer holds no reply");
  if (typeof reply !== "string") return none("the bridge's reply is no text");
  if (isOther(body, ["message_id", "messageId", "parent_id"], messageId))
    return none("it replies to another message");
  if (isOther(body, ["plan", "plan_id"], question.plan)) return none("it replies about another plan");
  const by = findPerson(body);
  if (people.length > 0 && (by === null || !people.includes(by))) {
    return none(by === null ? "the bridge does not say who replied" : `${showWords(by)} may not answer`);
  }
  const words = dropPlan(reply, question.plan);
  if (words === null) return none("it replies about another plan");
  const option = question.options.find((one) => one.toLowerCase() === words.toLowerCase());
  if (option === undefined) return none(`«${showWords(words)}» is none of: ${question.options.join(", ")}`);
  return { plan: question.plan, option, by };
}

function isOther(body: Readonly<Record<string, unknown>>, keys: readonly string[], wanted: string): boolean {
  return keys.some((key) => body[key] !== undefined && body[key] !== wanted);
}

function findPerson(body: Readonly<Record<string, unknown>>): string | null {
  const found = ["open_id", "user_id", "user", "from"].map((key) => body[key]);
  return (found.find((one) => typeof one === "string" && one !== "") as string | undefined) ?? null;
}

/** People may write the plan's id beside their answer; null: another plan's. */
function dropPlan(reply: string, plan: string): string | null {
  const named = reply.match(PLAN_ID) ?? [];
  if (named.some((id) => id !== plan)) return null;
  return reply.replaceAll(plan, "").trim();
}
