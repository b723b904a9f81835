import { formatBytes } from "../base/bytes.ts";
import type { Clock } from "../base/clock.ts";
import { checkReply } from "../payload/check-action.ts";
import { makeErrorEnvelope } from "../payload/error-envelope.ts";
import { detectKind, type PayloadKind, readObservation } from "../payload/observation.ts";
import type { Issue } from "../payload/rule.ts";
import { isMap, unpack } from "../payload/unpack.ts";
import { MAX_SESSION_ID_BYTES } from "../wire/frame.ts";
import { MAX_MESSAGE_BYTES } from "../wire/message.ts";
import { type AgentJournal, countOne } from "./agent-journal.ts";
import { hasShape, learnShape, type ReplyShape } from "./reply-shape.ts";

export interface CheckSettings {
  readonly payload?: PayloadKind;
  readonly validate: boolean;
  readonly clock: Clock;
}

const MAX_REPLY_BYTES = MAX_MESSAGE_BYTES - MAX_SESSION_ID_BYTES - 4;

/**
 * A whole look, also at what is merely unlikely, is taken at each reply at the pace of real robots. Where replies come
 * faster than that, those between two whole looks only need the shape of one that passed.
 */
const WHOLE_LOOK_MS = 100;

/** Holds the replies of a handler against the rules for their kind of payload. */
export class ReplyChecker {
  readonly #settings: CheckSettings;
  readonly #journal: AgentJournal;
  #kind: PayloadKind | undefined;
  #shape: ReplyShape | undefined;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(settings: CheckSettings, journal: AgentJournal) {
    this.#settings = settings;
    this.#journal = journal;
    this.#kind = settings.payload;
  }

  /** What goes out: this reply, or an error envelope that says what is wrong with it. */
  check(observation: Uint8Array, reply: Uint8Array): Uint8Array {
    if (reply.length > MAX_REPLY_BYTES) {
      const size = `${reply.length} bytes: at most ${MAX_REPLY_BYTES} (64 MiB with its header) can be sent`;
      return this.#refuse("reply-too-big", `the reply has ${size}`);
    }
    if (!this.#settings.validate) return reply;
    if (reply.length === 0) return this.#refuse("reply-empty", "the reply is empty");
    if (this.#kind === undefined) this.#findKind(observation);
    const nowMs = this.#settings.clock.monotonicMs();
    const isWhole = nowMs - this.#lookedMs >= WHOLE_LOOK_MS;
    if (!isWhole && this.#shape !== undefined && hasShape(this.#shape, reply)) return reply;
    if (isWhole) this.#lookedMs = nowMs;
    return this.#look(observation, reply, isWhole);
  }

  #look(observation: Uint8Array, reply: Uint8Array, isWhole: boolean): Uint8Array {
    const kind = this.#kind ?? "opaque";
    if (kind === "opaque") return reply;
    const state = isWhole && kind === "g2" ? readObservation(observation).state : undefined;
    // Without the observation, what is to come back from it is not looked for either.
    const issues = checkReply(kind, reply, { state }, { deep: isWhole });
    for (const issue of issues) if (issue.level === "soft" && isWhole) this.#tellSoft(issue);
    const hard = issues.find(({ level }) => level === "hard");
    if (hard === undefined) {
      if (kind === "g2") this.#shape = learnShape(reply);
      return reply;
    }
    // An error that the handler tells by itself is its answer.
    if (hard.name === "error-envelope" && isOwnError(reply)) return this.#passError(hard, reply);
    return this.#refuse(hard.name, hard.sentence);
  }

  #findKind(observation: Uint8Array) {
    this.#kind = detectKind(observation);
    const size = formatBytes(observation.length);
    const checks =
      this.#kind === "opaque" ? "replies are not checked" : `replies are checked as ${this.#kind}`;
    this.#journal.log("info", `the first observation has ${size} and is ${this.#kind}: ${checks}`);
  }

  #tellSoft({ name, sentence }: Issue) {
    if (countOne(this.#journal.softFindings, name) === 1)
      this.#journal.log("warn", `unlikely reply (${name}): ${sentence}`);
  }

  #passError({ name }: Issue, reply: Uint8Array): Uint8Array {
    countOne(this.#journal.refusedReplies, name);
    this.#journal.logSome(`reply ${name}`, "warn", "the handler answered with an error of its own");
    return reply;
  }

  #refuse(name: string, sentence: string): Uint8Array {
    countOne(this.#journal.refusedReplies, name);
    this.#journal.record("fault", { detail: `reply stopped (${name}): ${sentence}` });
    this.#journal.logSome(`reply ${name}`, "error", `the reply was stopped (${name}): ${sentence}`);
    return makeErrorEnvelope(`the reply was stopped: ${sentence}`);
  }
}

function isOwnError(reply: Uint8Array): boolean {
  const { value } = unpack(reply) as { value?: unknown };
  return isMap(value) && Boolean(value["error"]);
}
