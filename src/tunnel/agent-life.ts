import { type SortieError, toSortieError } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import { type AgentEvent, type AgentState, findAgentMove } from "../wire/agent-states.ts";
import { closeCodes } from "../wire/close-codes.ts";
import { AgentJournal } from "./agent-journal.ts";
import type { Agent, AgentEnd } from "./agent-options.ts";
import type { AgentSettings } from "./check-settings.ts";
import { readControl } from "./control-reader.ts";
import { FrameServer } from "./frame-server.ts";
import { HandlerLine } from "./handler-line.ts";
import { isToldRefusal } from "./judge-end.ts";
import type { Link } from "./link.ts";
import { type KeeperEnd, LinkKeeper, type ServedEnd } from "./link-keeper.ts";
import { LinkPlace } from "./link-place.ts";
import { ReplyChecker } from "./reply-checker.ts";
import { settleSession } from "./settle-session.ts";
import { StallWatch } from "./stall-watch.ts";
import { stopHandler } from "./stop-handler.ts";
import { warmUp } from "./warm-up.ts";

/** How long the end of a handler waits for the proof that whoever waited was told of it. */
const LAST_REPLY_MS = 2_500;

/** An agent from its start to its end: its state, what the gateway tells it, and how it ends. */
export class AgentLife implements Agent {
  readonly ended: Promise<AgentEnd>;
  readonly #settings: AgentSettings;
  readonly #journal: AgentJournal;
  readonly #line: HandlerLine;
  readonly #place: LinkPlace;
  readonly #frames: FrameServer;
  readonly #keeper: LinkKeeper;
  readonly #stall: StallWatch;
  readonly #over = new AbortController();
  readonly #hurry = new AbortController();
  #state: AgentState = "starting";
  #links = 0;
  /** The link over which the handler was last asked to warm up. */
  #warmed: Link | undefined;
  #resolveEnded: (end: AgentEnd) => void = () => undefined;

  constructor(settings: AgentSettings) {
    const { clock, handler, timers } = settings;
    this.#settings = settings;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#journal = new AgentJournal(settings, this);
    this.#place = new LinkPlace(settings, this.#journal.secrets);
    this.#line = new HandlerLine(handler);
    this.#frames = new FrameServer({
      line: this.#line,
      checker: new ReplyChecker(settings, this.#journal),
      journal: this.#journal,
      clock,
      evidenceMs: timers.evidenceMs,
      strictFrames: settings.strictFrames,
      onFault: settings.onFault,
      onMove: (event) => this.#move(event),
      onProgress: () => this.#place.noteProgress(),
      onBroken: (thrown) => this.#failBroken(thrown),
    });
    this.#stall = new StallWatch(settings, this.#journal, {
      isIdle: () => (this.#frames.session?.openCount ?? 0) === 0,
      onFreshId: (why) => {
        this.#keeper.takeFreshId(why);
        this.#place.close(closeCodes.done, "fresh agent id");
      },
    });
    this.#keeper = new LinkKeeper({
      settings,
      journal: this.#journal,
      signal: this.#over.signal,
      serve: (link) => this.#serve(link),
      onFreshId: () => this.#frames.endSession("the agent got a fresh id"),
    });
  }

  get agentId(): string {
    return this.#keeper?.agentId ?? this.#settings.agentId;
  }

  get state(): AgentState {
    return this.#state;
  }

  start() {
    this.#journal.record("state");
    this.#keeper.run().then(
      (end) => this.#endWith(end),
      (thrown) => this.#endWith({ kind: "failed", error: toSortieError(thrown) }),
    );
    this.#settings.handler.died?.then((error) => this.#failDeath(error));
  }

  stop(): Promise<AgentEnd> {
    this.#hurry.abort();
    this.#end({ outcome: "stopped" }, "stopped from here");
    return this.ended;
  }

  async #serve(link: Link): Promise<ServedEnd> {
    const served = this.#place.serve(link, {
      onAccepted: () => this.#accept(),
      onText: (text) => this.#takeText(link, text),
      onBinary: (fragments) => {
        this.#stall.stop();
        if (this.#isLive) this.#frames.takeFrame(fragments);
      },
    });
    this.#frames.attach(link);
    const end = await served;
    this.#stall.stop();
    this.#frames.detach(isToldRefusal(end, this.#settings.timers));
    // Where we closed it over a message of the gateway's, it answers with the same code.
    if (end.code === closeCodes.too_big && end.says === undefined) this.#frames.session?.replaceRefused();
    if (this.#state === "draining") await this.ended; // the drain ends the agent: nobody dials again
    this.#move("cut");
    return end;
  }

  get #isLive(): boolean {
    return !this.#over.signal.aborted;
  }

  #accept() {
    if (findAgentMove(this.#state, "connected") === undefined) return;
    const isRedial = this.#links > 0;
    this.#links += 1;
    this.#move("connected");
    this.#journal.record("link", { detail: isRedial ? "connected again" : "connected" });
    if (!isRedial) return;
    this.#journal.counts.redials += 1;
    this.#stall.start();
  }

  #takeText(link: Link, text: string) {
    if (!this.#isLive) return;
    const frames = this.#frames;
    readControl(text, this.#journal, {
      goOn: () => this.#stall.stop(),
      warmUp: () => this.#warmUp(link),
      drain: (reason) => this.#drain(reason),
      openSession: (id) => frames.openSession(id),
      closeSession: (id, reason) => frames.closeSession(id, reason),
      resumeSession: (id, count) => frames.resumeSession(id, count),
    });
  }

  async #warmUp(link: Link) {
    if (this.#warmed === link && this.#state === "warmup") return;
    this.#warmed = link;
    // Who warms up begins anew: the session of an earlier link is over.
    if (this.#state === "queued") this.#frames.endSession("the gateway began anew");
    this.#move("warmup");
    try {
      const parts = { clock: this.#settings.clock, journal: this.#journal };
      if (await warmUp(link, () => this.#frames.load(), parts)) this.#move("ready");
    } catch (thrown) {
      this.#failBroken(thrown);
    }
  }

  /** Answers what is in flight, then closes. Never dials again. */
  async #drain(reason = "") {
    if (findAgentMove(this.#state, "drain") === undefined) return;
    this.#move("drain");
    const { timers, clock } = this.#settings;
    // Nothing is asked any more, so that a reply too many answers nothing.
    this.#frames.session?.sendInDoubt();
    const open = this.#frames.session?.openCount ?? 0;
    const rest = open === 0 ? "nothing is in flight" : `${open} in flight`;
    this.#journal.log("info", `drain${reason && ` (${reason})`}: ${rest}`);
    await settleSession(this.#frames.session, {
      ...{ clock, linkEnd: this.#place.ended },
      ...{ totalMs: timers.drainMs, proofMs: timers.pongMs },
    });
    await this.#endDrained();
  }

  async #endDrained() {
    if (!this.#isLive) return;
    await this.#place.close(closeCodes.done, "drained");
    this.#end({ outcome: "drained" });
  }

  #failBroken(thrown: unknown) {
    // Where it was drained before, that is its end; what is open will not be answered any more.
    if (this.#state === "draining") return void this.#endDrained();
    this.#end({ outcome: "failed", error: toSortieError(thrown) }, "the handler cannot be used");
  }

  /** An agent without a handler would hold its place in vain: what is open is answered with the error, then it ends. */
  async #failDeath(error: SortieError) {
    if (!this.#isLive || this.#state === "draining") return;
    await settleSession(this.#frames.session, {
      ...{ clock: this.#settings.clock, linkEnd: this.#place.ended },
      ...{ totalMs: LAST_REPLY_MS, proofMs: LAST_REPLY_MS },
    });
    this.#end({ outcome: "failed", error }, "the handler ended");
  }

  #endWith(end: KeeperEnd) {
    if (end.kind !== "failed") return;
    if (end.error.code === "tunnel_job_ended" && this.#isServed) {
      this.#journal.log("info", "the job ended while no link was up");
      this.#move("drain");
      this.#end({ outcome: "drained" });
    } else this.#end({ outcome: "failed", error: end.error });
  }

  /** It has been connected, and owes no reply: that its job ended without it is no fault. */
  get #isServed(): boolean {
    return this.#links > 0 && (this.#frames.session?.openCount ?? 0) === 0;
  }

  /** The first end wins. */
  async #end(end: Omit<AgentEnd, "report">, reason = "") {
    if (!this.#isLive) return;
    const { counts } = this.#journal;
    counts.lost += this.#frames.session?.openCount ?? 0;
    if (counts.lost > 0) this.#journal.log("warn", `observations left unanswered: ${counts.lost}`);
    const closing = this.#place.close(closeCodes.stopping, reason);
    const { handler, clock } = this.#settings;
    if (end.outcome !== "drained") this.#hurry.abort();
    this.#frames.endSession("the agent ends");
    if (end.outcome === "stopped") this.#tellStop();
    else this.#move(end.outcome === "drained" ? "finish" : "fail");
    this.#over.abort();
    await Promise.all([closing, stopHandler(handler, this.#line, clock, this.#hurry.signal)]);
    const error = end.error && this.#journal.secrets.cleanError(end.error);
    if (error) this.#journal.record("notice", { detail: makePrintable(error.message) });
    this.#resolveEnded({ ...end, ...(error && { error }), report: this.#journal.makeReport() });
  }

  #tellStop() {
    this.#journal.log("info", `stopped while ${this.#state.toUpperCase()}`);
    this.#journal.record("notice", { detail: "stopped from here" });
  }

  #move(event: AgentEvent) {
    if (!this.#isLive) return;
    const next = findAgentMove(this.#state, event);
    if (next === undefined) return;
    this.#journal.log("info", `state ${this.#state.toUpperCase()} -> ${next.toUpperCase()}`);
    this.#state = next;
    this.#journal.record("state");
  }
}
