/**
 * How far the last reply of a session is.
 * - `kept`: no socket ever got it. - `passed`: a socket got it, and nothing shows that it arrived. - `proven`: it arrived.
 */
export type ReplyFate = "kept" | "passed" | "proven";

/**
 * What the first observation on a new link may be.
 * - `new`: what it always is while the link holds. - `maybe_repeat`: the same again of the one that we have; if its bytes
 *   are equal, it is dropped. - `undecided`: a passed reply waits for evidence. A repeat shows that it was lost, anything
 *   else that it arrived.
 */
type Expectation = "new" | "maybe_repeat" | "undecided";

interface LastReply {
  readonly observation: Uint8Array;
  reply: Uint8Array;
  fate: ReplyFate;
  /** What it was before the present link, in case that this link was none. */
  fateBefore: ReplyFate;
  /** The present link got it. */
  isOnLink: boolean;
}

/** `send`: the last reply is to be sent, again or for the first time. */
export type ResumeStep = "send" | "wait" | "nothing";

/**
 * Exactly once over cuts, for one session. The wire has no numbers: a reply that is sent twice would answer the next
 * observation, and the robot would play old actions from then on; one that is not sent leaves its simulator waiting for
 * ever. Holds bytes by reference and looks into them only after a resume. Does nothing by itself: it is told what
 * happens and says what to do.
 */
export class Delivery {
  #made: number;
  #last: LastReply | undefined;
  #expects: Expectation = "new";
  /** Observations without a reply, the oldest first: it is the one in the handler. */
  readonly #open: Uint8Array[] = [];

  /** `made`: replies of this session that its gateway has, should an earlier process have sent some. */
  constructor(made = 0) {
    this.#made = made;
  }

  get openCount(): number {
    return this.#open.length;
  }

  /** undefined before the first reply. */
  get lastFate(): ReplyFate | undefined {
    return this.#last?.fate;
  }

  get lastReply(): Uint8Array | undefined {
    return this.#last?.reply;
  }

  /** An observation came. `repeat`: we have it. `send`: we have it and answered it, but the answer was lost. */
  take(observation: Uint8Array): "new" | "repeat" | "send" {
    const expects = this.#expects;
    this.#expects = "new";
    if (expects !== "new" && this.#isLatest(observation)) return expects === "undecided" ? "send" : "repeat";
    // The gateway asks only once it has its answer.
    if (this.#last?.fate === "passed" && this.#open.length === 0) this.#last.fate = "proven";
    this.#open.push(observation);
    return "new";
  }

  /** The oldest open observation has its reply, which is to be sent if there is a link. */
  answer(reply: Uint8Array) {
    const observation = this.#open.shift();
    if (observation === undefined) return;
    this.#made += 1;
    this.#last = { observation, reply, fate: "kept", fateBefore: "kept", isOnLink: false };
  }

  /** Nothing is answered any more: the session is over. */
  giveUpAll() {
    this.#open.length = 0;
  }

  /** The latest open observation is not answered either: there are too many. */
  forgetLatest() {
    this.#open.pop();
  }

  /** The last reply was handed to the socket of the present link. */
  pass() {
    if (this.#last === undefined) return;
    this.#last.fate = "passed";
    this.#last.isOnLink = true;
  }

  /** The last reply arrived. */
  prove() {
    if (this.#last?.isOnLink) this.#last.fate = "proven";
  }

  /** Another reply in place of the last one, which the gateway does not take. */
  replaceLast(reply: Uint8Array) {
    if (this.#last !== undefined) this.#last.reply = reply;
  }

  /** There is a new link, and the session may go on over it. `wait`: until evidence comes, or for `judgeSilence`. */
  startLink(): ResumeStep {
    const last = this.#last;
    if (last !== undefined) {
      last.isOnLink = false;
      last.fateBefore = last.fate;
    }
    this.#expects = "maybe_repeat";
    if (this.#open.length > 0) return "nothing";
    if (last?.fate === "kept") return "send";
    this.#expects = last?.fate === "passed" ? "undecided" : "new";
    return last?.fate === "passed" ? "wait" : "nothing";
  }

  /** The gateway says that the new link was none: whatever it got did not arrive. */
  dropLink() {
    if (this.#last === undefined) return;
    this.#last.fate = this.#last.fateBefore;
    this.#last.isOnLink = false;
  }

  /**
   * The gateway says how many replies it has, and whether the observation that waits for the next one follows. Nothing
   * that was passed over this link is counted in it.
   */
  resume({ replies, resend }: { replies: number; resend?: boolean }): ResumeStep {
    const last = this.#last;
    // With an observation open, the gateway is past the last reply; to send that one would answer this observation.
    const isMissing = last !== undefined && replies === this.#made - 1 && this.#open.length === 0;
    if (!isMissing) this.#made = replies;
    if (last !== undefined && !isMissing) last.fate = "proven";
    const isHere = this.#open.length > 0 || isMissing;
    this.#expects = isHere && resend !== false ? "maybe_repeat" : "new";
    return isMissing && !last.isOnLink ? "send" : "nothing";
  }

  /** Neither word nor observation came after a new link for as long as they are waited for. */
  judgeSilence(): ResumeStep {
    if (this.#expects !== "undecided") return "nothing";
    this.#expects = "maybe_repeat";
    return "send";
  }

  #isLatest(observation: Uint8Array): boolean {
    const latest = this.#open.at(-1) ?? this.#last?.observation;
    return latest !== undefined && latest.length === observation.length && isEqual(latest, observation);
  }
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
