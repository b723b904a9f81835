import { randomUUID } from "node:crypto";
import { formatDuration } from "../base/duration.ts";
import { SortieError } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import { showUrl } from "../base/show-url.ts";
import type { AgentJournal } from "./agent-journal.ts";
import type { AgentSettings } from "./check-settings.ts";
import { describeCap, describeLinkEnd, describePause } from "./describe-setback.ts";
import { dialGateway } from "./dial.ts";
import { isRefusal, judgeEnd } from "./judge-end.ts";
import { Link, type LinkEnd } from "./link.ts";
import { type Pair, startPair } from "./pair.ts";
import { chooseRedial, countLink, type RedialState, type Setback, startOfRedials } from "./redial-policy.ts";
import { TokenKeeper } from "./token-keeper.ts";
import { isInClear, makeDialUrl } from "./tunnel-address.ts";

export interface KeeperParts {
  readonly settings: AgentSettings;
  readonly journal: AgentJournal;
  readonly signal: AbortSignal;
  /** Serves an open link until its end. */
  readonly serve: (link: Link) => Promise<ServedEnd>;
  /** The pair is another from now on: no session goes on. */
  readonly onFreshId: () => void;
}

export interface ServedEnd extends LinkEnd {
  /** Something new came over it, or a reply got there. */
  readonly hasServed: boolean;
}

export type KeeperEnd =
  | { readonly kind: "failed"; readonly error: SortieError }
  | { readonly kind: "stopped" };

const IN_CLEAR = "whoever is on the way can read the token and the pictures";

const OWN_PAIR = "the gateway still takes the old link for live";
const SILENT = "the gateway refuses this agent id without a word";

type Attempt = KeeperEnd | { readonly kind: "setback"; readonly setback: Setback; readonly reason: string };

/** Dials, and dials again after each cut, until that makes no sense any more. */
export class LinkKeeper {
  readonly #parts: KeeperParts;
  readonly #tokens: TokenKeeper;
  #pair: Pair;
  /** Since when no link was up, as far as it is not taken from the budget yet. */
  #downSinceMs: number;

  constructor(parts: KeeperParts) {
    const { settings, journal } = parts;
    this.#parts = parts;
    this.#tokens = new TokenKeeper(settings, journal);
    this.#pair = startPair(settings.agentId, settings.mayBeTaken);
    this.#downSinceMs = settings.clock.monotonicMs();
  }

  get agentId(): string {
    return this.#pair.agentId;
  }

  /** Runs until there is nothing more to try, or the signal aborts. Never rejects. */
  async run(): Promise<KeeperEnd> {
    const { settings, journal, signal } = this.#parts;
    const { clock, timers, random, endpoint } = settings;
    if (isInClear(endpoint)) journal.log("warn", `${showUrl(endpoint)} is in clear: ${IN_CLEAR}`);
    this.#downSinceMs = clock.monotonicMs();
    while (!signal.aborted) {
      const attempt = await this.#attempt();
      if (attempt.kind !== "setback") return attempt;
      const { setback, reason } = attempt;
      const nowMs = clock.monotonicMs();
      const step = chooseRedial(this.#pair.redials, setback, nowMs - this.#downSinceMs, timers, random);
      if (step.kind === "give_up") return { kind: "failed", error: this.#giveUp(reason) };
      this.#downSinceMs = nowMs;
      if (step.kind === "fresh_id") {
        this.takeFreshId(`the tunnel ${this.#describeBudget()}`, step.state);
        continue;
      }
      this.#pair = { ...this.#pair, redials: step.state };
      this.#tellPause(setback, reason, step.delayMs);
      await clock.sleep(step.delayMs, signal);
      // What is waited over the cap is not taken from the budget.
      if (setback === "over_cap") this.#downSinceMs = clock.monotonicMs();
    }
    return { kind: "stopped" };
  }

  /** From the next dial on the agent is another one to its gateway; an open link is to be closed by the caller. */
  takeFreshId(why: string, redials?: RedialState) {
    const { journal, settings, onFreshId } = this.#parts;
    const { agentId: old, redials: before } = this.#pair;
    const used = { ...startOfRedials, hadLink: before.hadLink, freshId: "used" } as const;
    this.#pair = startPair(randomUUID(), false, redials ?? used);
    this.#downSinceMs = settings.clock.monotonicMs();
    onFreshId();
    journal.log("warn", `${why}: agent ${makePrintable(old)} goes on with the fresh id ${this.agentId}`);
    journal.record("link", { detail: `fresh id: ${why}` });
  }

  async #attempt(): Promise<Attempt> {
    const { settings, journal, signal, serve } = this.#parts;
    const { endpoint, jobUuid, clock, timers, proxyUrl } = settings;
    const pair = this.#pair;
    const outcome = await dialGateway({
      url: makeDialUrl(endpoint, { jobUuid, agentId: pair.agentId }),
      ...{ token: this.#tokens.token, secrets: journal.secrets, proxyUrl },
      ...{ timeoutMs: timers.dialMs, clock, signal },
    });
    switch (outcome.kind) {
      case "open": {
        if (signal.aborted) outcome.socket.terminate();
        const end = signal.aborted ? undefined : await serve(new Link(outcome, timers, clock));
        if (end === undefined || signal.aborted) return { kind: "stopped" };
        if (pair.agentId === this.agentId) return this.#judge(end);
        this.#downSinceMs = clock.monotonicMs();
        return setBack("cut", "a fresh id");
      }
      case "unauthorized":
        return this.#renewToken(outcome.error);
      case "final":
        return { kind: "failed", error: outcome.error };
      case "aborted":
        return { kind: "stopped" };
      default:
        return setBack(outcome.kind, outcome.reason);
    }
  }

  #judge(end: ServedEnd): Attempt {
    const { clock, timers } = this.#parts.settings;
    const { linkEndMs, bareEnds, mayBeTaken, redials } = this.#pair;
    const sinceLinkMs = linkEndMs === undefined ? undefined : clock.monotonicMs() - linkEndMs;
    const verdict = judgeEnd(end, { sinceLinkMs, bareEnds }, timers);
    const isBare = verdict === "cut" && isRefusal(end, timers);
    this.#pair = {
      ...this.#pair,
      bareEnds: isBare ? bareEnds + 1 : 0,
      takenSays: verdict === "pair_taken" ? end.reason : undefined,
    };
    const words = end.says ?? end.reason;
    switch (verdict) {
      case "cut":
        return isBare ? setBack("busy", "the connection ended at once") : this.#countLink(end);
      case "own_pair":
        return setBack("busy", OWN_PAIR);
      case "silent":
        return setBack(
          "busy",
          sinceLinkMs !== undefined && sinceLinkMs < timers.pairLiveMs ? OWN_PAIR : SILENT,
        );
      case "pair_taken":
        return setBack("busy", `another process is connected as this agent${words && ` (${words})`}`);
      case "over_cap":
        return setBack("over_cap", describeCap(words, mayBeTaken && end.reason === ""));
      case "pair_expired":
        // That of a fresh id which never had a link would expire for ever.
        if (sinceLinkMs === undefined && redials.freshId !== "none") return this.#failExpired(words);
        this.takeFreshId("the window for coming back is over");
        return setBack("cut", "the pair has expired");
    }
  }

  /** A link that was too short to be of use is down time too, and its gateway is dialled less and less often. */
  #countLink(end: ServedEnd): Attempt {
    const { clock, timers } = this.#parts.settings;
    const nowMs = clock.monotonicMs();
    const isUp = end.hasServed || end.lastedMs >= timers.upMs;
    const downMs = nowMs - end.lastedMs - this.#downSinceMs;
    const redials = countLink(this.#pair.redials, { ...end, isUp, downMs }, timers);
    this.#pair = { ...this.#pair, redials, linkEndMs: nowMs };
    if (isUp) this.#downSinceMs = nowMs;
    if (end.lastedMs >= timers.stableMs) this.#tokens.confirm();
    return setBack(isUp ? "cut" : "busy", describeLinkEnd(end));
  }

  async #renewToken(refused: SortieError): Promise<Attempt> {
    const renewal = await this.#tokens.renew(this.#parts.signal);
    if (renewal.kind === "new") return this.#attempt();
    return renewal.kind === "later" ? setBack("busy", renewal.reason) : { kind: "failed", error: refused };
  }

  #failExpired(words: string): Attempt {
    const { endpoint, jobUuid } = this.#parts.settings;
    const says = words && `: ${words}`;
    return {
      kind: "failed",
      error: new SortieError("pair_expired", { host: endpoint.host, job: jobUuid, says }),
    };
  }

  #giveUp(reason: string): SortieError {
    const { endpoint, jobUuid, timers } = this.#parts.settings;
    const { agentId, takenSays, redials } = this.#pair;
    const host = endpoint.host;
    if (takenSays !== undefined) {
      const says = takenSays && `: ${takenSays}`;
      return new SortieError("pair_taken", { agentId: makePrintable(agentId), job: jobUuid, says });
    }
    if (!redials.hadLink) {
      const limit = formatDuration(timers.redialBudgetMs / 1000);
      return new SortieError("dial_failed", { host, limit, reason });
    }
    const fresh = redials.freshId === "none" ? "" : ", and a fresh agent id did not help";
    return new SortieError("redials_spent", { host, spent: this.#describeBudget(), fresh, reason });
  }

  /** How the budget was spent: at one cut, or in several that no good link came between. */
  #describeBudget(): string {
    const limit = formatDuration(this.#parts.settings.timers.redialBudgetMs / 1000);
    return this.#pair.redials.isSummed
      ? `was down for ${limit}, summed over its cuts`
      : `did not come back within ${limit}`;
  }

  #tellPause(setback: Setback, reason: string, delayMs: number) {
    const { journal } = this.#parts;
    journal.record("link", { detail: reason });
    const { failures } = this.#pair.redials;
    if (setback !== "over_cap" && failures > 3 && failures % 10 !== 0) return;
    journal.log("warn", `no tunnel: ${reason}; dialling again in ${describePause(delayMs)}`);
  }
}

function setBack(setback: Setback, reason: string): Attempt {
  return { kind: "setback", setback, reason };
}
