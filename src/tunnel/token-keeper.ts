import { describeFault } from "../base/error.ts";
import type { AgentJournal } from "./agent-journal.ts";
import type { AgentSettings } from "./check-settings.ts";

/** `none`: the token that was refused is the last one. `later`: who gives new ones could not be asked now. */
export type Renewal = { readonly kind: "new" | "none" } | { readonly kind: "later"; readonly reason: string };

/** The token that an agent dials with. One that is refused is renewed once: a login token may have expired meanwhile. */
export class TokenKeeper {
  readonly #settings: AgentSettings;
  readonly #journal: AgentJournal;
  #token: string;
  #isNew = false;

  constructor(settings: AgentSettings, journal: AgentJournal) {
    this.#settings = settings;
    this.#journal = journal;
    this.#token = settings.token;
  }

  get token(): string {
    return this.#token;
  }

  /** It was good for so long that a later refusal may have the same cause as the first. */
  confirm() {
    this.#isNew = false;
  }

  /** Asks for a new token after a refusal. Never rejects. */
  async renew(signal: AbortSignal): Promise<Renewal> {
    const { refreshToken, clock, timers } = this.#settings;
    if (refreshToken === undefined || this.#isNew) return { kind: "none" };
    this.#journal.log("info", "the gateway refused the token (401): asking for a new one");
    const answered = new AbortController();
    const late = clock
      .sleep(timers.dialMs, AbortSignal.any([signal, answered.signal]))
      .then(() => "late" as const);
    try {
      const answer = await Promise.race([refreshToken().then((token) => ({ token })), late]);
      if (answer === "late") return { kind: "later", reason: "no new token came in time" };
      if (!answer.token) return { kind: "none" };
      this.#journal.secrets.hide(answer.token);
      this.#token = answer.token;
      this.#isNew = true;
      return { kind: "new" };
    } catch (thrown) {
      return { kind: "later", reason: `no new token: ${describeFault(thrown)}` };
    } finally {
      answered.abort();
    }
  }
}
