import { randomUUID } from "node:crypto";
import { formatDuration } from "../base/duration.ts";
import { describeFault, SortieError } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import type { AgentJournal } from "./agent-journal.ts";
import type { AgentSettings } from "./check-settings.ts";
import { dialGateway } from "./dial.ts";
import { isRefusal, judgeEnd } from "./judge-end.ts";
import { Link, type LinkEnd } from "./link.ts";
import { chooseRedial, countLink, type RedialState, type Setback, startOfRedials } from "./redial-policy.ts";
import { isInClear, makeDialUrl, showAddress } from "./tunnel-address.ts";

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
  | { readonly kind: "job_over" | "stopped" };

const IN_CLEAR = "whoever is on the way can read the token and the pictures";

type Attempt = KeeperEnd | { readonly kind: "setback"; readonly setback: Setback; readonly reason: string };

/** Dials, and dials again after each cut, until that makes no sense any more. */
export class LinkKeeper {
  readonly #parts: KeeperParts;
  #agentId: string;
  #token: string;
  #isRefreshed = false;
  #state: RedialState = startOfRedials;
  #everLinked = false;
  /** When the last real link of this pair ended. */
  #linkEndMs: number | undefined;
  #bareEnds = 0;
  /** What another process has the pair for, as the gateway says. */
  #takenSays: string | undefined;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#agentId = parts.settings.agentId;
    this.#token = parts.settings.token;
  }

  get agentId(): string {
    return this.#agentId;
  }

  /** Runs until there is nothing more to try, or the signal aborts. Never rejects. */
  async run(): Promise<KeeperEnd> {
    const { settings, journal, signal } = this.#parts;
    const { clock, timers, random, endpoint } = settings;
    if (isInClear(endpoint)) journal.log("warn", `${showAddress(endpoint)} is in clear: ${IN_CLEAR}`);
    let sinceMs = clock.monotonicMs();
    while (!signal.aborted) {
      const attempt = await this.#attempt();
      if (attempt.kind !== "setback") return attempt;
      const { setback, reason } = attempt;
      const step = chooseRedial(this.#state, setback, clock.monotonicMs() - sinceMs, timers, random);
      if (step.kind === "give_up") return { kind: "failed", error: this.#giveUp(reason) };
      sinceMs = clock.monotonicMs();
      this.#state = step.state;
      if (step.kind === "fresh_id") {
        this.takeFreshId(
          `the tunnel did not come back within ${formatDuration(timers.redialBudgetMs / 1000)}`,
        );
        this.#state = step.state;
        continue;
      }
      this.#tellPause(setback, reason, step.delayMs);
      await clock.sleep(step.delayMs, signal);
      // What is waited over the cap is not taken from the budget.
      if (setback === "over_cap") sinceMs = clock.monotonicMs();
    }
    return { kind: "stopped" };
  }

  /** From the next dial on the agent is another one to its gateway; an open link is to be closed by the caller. */
  takeFreshId(why: string) {
    const old = this.#agentId;
    this.#agentId = randomUUID();
    this.#linkEndMs = undefined;
    this.#state = { ...startOfRedials, freshId: "used" };
    this.#parts.onFreshId();
    this.#parts.journal.log(
      "warn",
      `${why}: agent ${makePrintable(old)} goes on with the fresh id ${this.#agentId}`,
    );
    this.#parts.journal.record("link", { detail: `fresh id: ${why}` });
  }

  async #attempt(): Promise<Attempt> {
    const { settings, signal, serve } = this.#parts;
    const { endpoint, jobUuid, clock, timers, proxyUrl } = settings;
    const url = makeDialUrl(endpoint, { jobUuid, agentId: this.#agentId });
    const timeoutMs = timers.dialMs;
    const outcome = await dialGateway({ url, token: this.#token, proxyUrl, timeoutMs, clock, signal });
    switch (outcome.kind) {
      case "open": {
        if (signal.aborted) {
          outcome.socket.terminate();
          return { kind: "stopped" };
        }
        const dialedId = this.#agentId;
        const end = await serve(new Link(outcome, timers, clock));
        if (signal.aborted) return { kind: "stopped" };
        const isSamePair = dialedId === this.#agentId;
        return isSamePair ? this.#judge(end) : { kind: "setback", setback: "cut", reason: "a fresh id" };
      }
      case "unauthorized":
        return this.#refresh(outcome.error);
      case "final":
        return { kind: "failed", error: outcome.error };
      case "aborted":
        return { kind: "stopped" };
      default:
        return { kind: "setback", setback: outcome.kind, reason: outcome.reason };
    }
  }

  #judge(end: LinkEnd): Attempt {
    const { clock, timers, mayBeTaken } = this.#parts.settings;
    const nowMs = clock.monotonicMs();
    const sinceLinkMs = this.#linkEndMs === undefined ? undefined : nowMs - this.#linkEndMs;
    const verdict = judgeEnd(end, { sinceLinkMs, bareEnds: this.#bareEnds }, timers);
    const wasLink = !isRefusal(end, timers) && verdict === "cut";
    this.#bareEnds = verdict === "cut" && !wasLink ? this.#bareEnds + 1 : 0;
    this.#takenSays = verdict === "pair_taken" ? end.reason : undefined;
    if (wasLink) {
      this.#everLinked = true;
      this.#linkEndMs = nowMs;
      this.#state = countLink(this.#state, end.lastedMs, timers);
      if (end.lastedMs >= timers.stableMs) this.#isRefreshed = false;
    }
    const words = end.says ?? end.reason;
    switch (verdict) {
      case "cut":
        return wasLink ? setBack("cut", describeEnd(end)) : setBack("busy", "the connection ended at once");
      case "own_pair":
        return setBack("busy", "the gateway still takes the old link for live");
      case "pair_taken":
        return setBack("busy", `another process is connected as this agent${words && ` (${words})`}`);
      case "over_cap":
        return setBack("over_cap", describeCap(words, mayBeTaken && end.reason === ""));
      case "job_over":
        return { kind: "job_over" };
      case "pair_expired":
        // That of a fresh id which never had a link would expire for ever.
        if (sinceLinkMs === undefined && this.#state.freshId !== "none")
          return { kind: "failed", error: this.#giveUp("the pair has expired") };
        this.takeFreshId("the window for coming back is over");
        return setBack("cut", "the pair has expired");
    }
  }

  /** A 401: one new token is tried, which a JWT that expired meanwhile needs. */
  async #refresh(refused: SortieError): Promise<Attempt> {
    const { settings, journal } = this.#parts;
    const failed = { kind: "failed", error: refused } as const;
    if (settings.refreshToken === undefined || this.#isRefreshed) return failed;
    this.#isRefreshed = true;
    journal.log("info", "the gateway refused the token (401): asking for a new one");
    try {
      const limit = settings.clock.sleep(settings.timers.dialMs, this.#parts.signal);
      const token = await Promise.race([settings.refreshToken(), limit]);
      if (!token) return failed;
      journal.hide(token);
      this.#token = token;
    } catch (thrown) {
      journal.log("error", `no new token: ${describeFault(thrown)}`);
      return failed;
    }
    return this.#attempt();
  }

  #giveUp(reason: string): SortieError {
    const { endpoint, jobUuid, timers } = this.#parts.settings;
    const limit = formatDuration(timers.redialBudgetMs / 1000);
    const host = endpoint.host;
    if (this.#takenSays !== undefined) {
      const says = this.#takenSays && `: ${this.#takenSays}`;
      return new SortieError("pair_taken", { agentId: makePrintable(this.#agentId), job: jobUuid, says });
    }
    if (!this.#everLinked) return new SortieError("dial_failed", { host, limit, reason });
    const fresh = this.#state.freshId === "none" ? "" : ", nor with a fresh agent id";
    return new SortieError("redials_spent", { host, limit, fresh, reason });
  }

  #tellPause(setback: Setback, reason: string, delayMs: number) {
    const { journal } = this.#parts;
    journal.record("link", { detail: reason });
    const { failures } = this.#state;
    if (setback !== "over_cap" && failures > 3 && failures % 10 !== 0) return;
    const pause = delayMs < 1000 ? `${Math.round(delayMs)} ms` : `${(delayMs / 1000).toFixed(1)} s`;
    journal.log("warn", `no tunnel: ${reason}; dialling again in ${pause}`);
  }
}

function setBack(setback: Setback, reason: string): Attempt {
  return { kind: "setback", setback, reason };
}

function describeEnd({ code, reason, says }: LinkEnd): string {
  if (says !== undefined) return says;
  if (code === 1006) return "the link broke off";
  return `the gateway closed the link with ${code}${reason && ` (${reason})`}`;
}

function describeCap(words: string, mayBeTaken: boolean): string {
  const cap = "as many agents are connected as the job or the account allows; this one waits for its turn";
  const other = mayBeTaken ? ", or another process is connected with this agent id" : "";
  return `${cap}${other}${words && ` (${words})`}`;
}
