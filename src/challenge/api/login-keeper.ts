import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { showUrl } from "../../base/show-url.ts";
import { isSameOrigin } from "../base-url.ts";
import { type LoginToken, type LoginTokens, listLoginTokens } from "../login-tokens.ts";
import { refreshLogin } from "../refresh-login.ts";
import { saveState } from "../save-state.ts";
import { loadStateFile } from "../state-file.ts";
import { isJwt, readExpiry } from "../token-shape.ts";
import type { ApiTimers } from "./api-timers.ts";
import type { ClockWatch } from "./clock-watch.ts";

interface KeeperOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly baseUrl: string;
  readonly timers: ApiTimers;
  readonly clocks: ClockWatch;
  readonly note: (text: string) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * The login token of a session. One that is refused gives way to another that is there (the state file's, which another
 * terminal may have renewed meanwhile), else it is exchanged for a new one, once however many calls wait for it.
 */
export class LoginKeeper {
  readonly #options: KeeperOptions;
  #current: LoginToken | null;
  #leftOut: readonly string[];
  #work: Promise<void> | null = null;
  readonly #refused = new Set<string>();
  /** Came out of a refresh and has opened nothing yet: to refresh it again would be a loop. */
  readonly #unproven = new Set<string>();
  /** Tokens that the server gave no new one for, and its words. */
  readonly #spent = new Map<string, string>();
  readonly #triedEarly = new Set<string>();

  constructor(options: KeeperOptions) {
    this.#options = options;
    const { tokens, leftOut } = this.#look();
    [this.#current, this.#leftOut] = [tokens[0] ?? null, leftOut];
  }

  get token(): string | null {
    return this.#current?.token ?? null;
  }

  use(token: string): void {
    for (const known of [this.#refused, this.#unproven, this.#spent]) known.delete(token);
    this.#current = { token, from: "file", said: "the token of this login" };
  }

  /** The token was taken: a later refusal has a cause of its own. */
  confirm(token: string): void {
    this.#unproven.delete(token);
  }

  /** The token to ask with, refreshed where it ends soon. @throws SortieError `challenge_login_needed` */
  async findGood(): Promise<string> {
    await this.#work;
    if (this.#current === null || this.#isDead(this.#current.token)) this.#takeOther();
    const { token, from } = this.#current ?? this.#refuse();
    if (this.#isDead(token)) this.#refuse();
    if (from === "file" && this.#endsSoon(token)) await this.#share(() => this.#refreshEarly(token));
    return this.#current?.token ?? token;
  }

  /** After a 401. @throws SortieError `challenge_login_needed`, `challenge_away` where nobody could be asked for a new one */
  async replace(refused: string): Promise<void> {
    if (this.token !== refused) return;
    await this.#share(async () => {
      this.#refused.add(refused);
      if (!this.#takeOther()) await this.#refresh(refused);
    });
  }

  /** Where a server may mean the token by its trouble: a new one is asked for once, and nothing is lost where none comes. */
  async renew(): Promise<void> {
    const { token, from } = this.#current ?? {};
    if (token === undefined || from !== "file" || this.#triedEarly.has(token)) return;
    await this.#share(() => this.#refreshEarly(token));
  }

  /** Asks for a new token now. @throws SortieError `challenge_login_needed`, `challenge_away` */
  async refreshNow(): Promise<string> {
    await this.#work;
    if (this.#current === null && !this.#takeOther()) this.#refuse();
    await this.#share(() => this.#refresh(this.#current?.token ?? ""));
    return this.token ?? this.#refuse();
  }

  /** One at a time; whoever comes while it is done waits for the same. */
  #share(work: () => Promise<void>): Promise<void> {
    this.#work ??= work().finally(() => {
      this.#work = null;
    });
    return this.#work;
  }

  #look(): LoginTokens {
    const { env, baseUrl } = this.#options;
    return listLoginTokens({ env, state: loadStateFile(env) }, baseUrl);
  }

  /** Takes a token that nobody has refused yet; false: there is none. */
  #takeOther(): boolean {
    const { tokens, leftOut } = this.#look();
    this.#leftOut = leftOut;
    const other = tokens.find(({ token }) => !this.#refused.has(token));
    if (other === undefined) return false;
    this.#noteStale(`the one of the state file is used`);
    this.#current = other;
    return true;
  }

  async #refresh(old: string): Promise<void> {
    if (this.#unproven.has(old)) this.#spent.set(old, "a token that it gave just now is refused");
    if (this.#spent.has(old)) this.#refuse();
    const { baseUrl, timers, signal } = this.#options;
    const limits = { timeoutMs: timers.requestMs, ...(signal !== undefined && { signal }) };
    const refreshed = await refreshLogin(baseUrl, old, limits);
    if (refreshed.token !== undefined && isJwt(refreshed.token)) return this.#keep(refreshed.token);
    if (signal?.aborted) throw new SortieError("interrupted");
    const fault = refreshed.fault ?? `${showUrl(baseUrl)} gave a token that is none`;
    if (refreshed.fault !== undefined && refreshed.isPassing)
      throw new SortieError("challenge_away", { url: showUrl(baseUrl), reason: fault, isUnsent: true });
    this.#spent.set(old, fault);
    this.#refuse();
  }

  /** Nothing is lost where that fails: a token is good until the server says otherwise, whatever our clock shows. */
  async #refreshEarly(token: string): Promise<void> {
    this.#triedEarly.add(token);
    try {
      await this.#refresh(token);
      // A server whose tokens all end soon is not asked for one with every call.
      if (this.token !== null && this.#isShort(this.token)) this.#triedEarly.add(this.token);
    } catch (thrown) {
      if (!(thrown instanceof SortieError) || thrown.code === "interrupted") throw thrown;
    }
  }

  #keep(token: string): void {
    const { env, baseUrl, note } = this.#options;
    const { path, values, unread } = loadStateFile(env);
    this.#noteStale("it was refreshed, and the new one is used");
    this.#unproven.add(token);
    this.#current = { token, from: "file", said: "the refreshed login token" };
    if (values.BASE_URL !== undefined && !isSameOrigin(values.BASE_URL.trim(), baseUrl)) {
      note(`the refreshed login token is not saved: ${path} is about another address`);
      return;
    }
    try {
      // A token without an address beside it would be taken for one of the default's.
      const isNamed = values.BASE_URL !== undefined || unread.BASE_URL !== undefined;
      const changes = { CHALLENGE_TOKEN: token, ...(isNamed ? {} : { BASE_URL: baseUrl }) };
      for (const text of saveState(env, changes).said) note(text);
    } catch (thrown) {
      if (!(thrown instanceof SortieError)) throw thrown;
      note(`the refreshed login token is not saved: ${thrown.message}`);
    }
  }

  #endsSoon(token: string): boolean {
    return !this.#unproven.has(token) && !this.#triedEarly.has(token) && this.#isShort(token);
  }

  #isShort(token: string): boolean {
    const { clocks, timers } = this.#options;
    const end = readExpiry(token);
    return end !== null && end.getTime() - clocks.serverNowMs < timers.refreshBeforeMs;
  }

  #isDead(token: string): boolean {
    return this.#refused.has(token) && this.#spent.has(token);
  }

  #noteStale(instead: string): void {
    if (this.#current?.from !== "environment" || !this.#refused.has(this.#current.token)) return;
    this.#options.note(
      `CHALLENGE_TOKEN of the environment is stale, the challenge refused it: ${instead}; unset CHALLENGE_TOKEN`,
    );
  }

  #refuse(): never {
    const { baseUrl } = this.#options;
    throw new SortieError("challenge_login_needed", { url: showUrl(baseUrl), reason: this.#describeLack() });
  }

  #describeLack(): string {
    const reasons = [...this.#leftOut];
    if (this.#current === null) {
      const file = loadStateFile(this.#options.env);
      const none = `there is none, neither in the environment nor in ${file.path}`;
      return [...(reasons.length === 0 ? [none] : reasons), ...file.warnings].map(makePrintable).join("; ");
    }
    const { token, said } = this.#current;
    const spent = this.#spent.get(token);
    const refused = this.#refused.has(token) ? `${said} is refused (401)` : `${said} cannot be refreshed`;
    return [refused, ...(spent === undefined ? [] : [spent]), ...reasons].map(makePrintable).join("; ");
  }
}
