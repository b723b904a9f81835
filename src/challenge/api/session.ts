import { type Clock, systemClock } from "../../base/clock.ts";
import { formatDuration } from "../../base/duration.ts";
import { SortieError } from "../../base/error.ts";
import { showUrl } from "../../base/show-url.ts";
import { isLoopbackUrl } from "../addresses.ts";
import { chooseBaseUrl } from "../base-url.ts";
import { closeStateFile } from "../close-state-file.ts";
import { loadStateFile } from "../state-file.ts";
import { type ApiTimers, defaultApiTimers } from "./api-timers.ts";
import { ClockWatch } from "./clock-watch.ts";
import { type Answer, type Call, exchange } from "./exchange.ts";
import { formatQuery } from "./format-query.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { LoginKeeper } from "./login-keeper.ts";
import { exchangeOnce, makeLostFault } from "./lost-reply.ts";
import { isTrouble, retryCalls, type Trouble } from "./retry-calls.ts";

export interface AskOptions<T> {
  /** Makes a value of the JSON of the reply, or throws `challenge_reply_wrong` (reply-shape.ts). */
  readonly read: (body: unknown) => T;
  /** No token is sent: the call is public. */
  readonly anonymous?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Values that the server may repeat in a refusal and that must not be shown. */
  readonly secrets?: readonly string[];
}

export interface GetOptions<T> extends AskOptions<T> {
  readonly query?: Readonly<Record<string, string | number>>;
  /** false: asked once. */
  readonly retries?: boolean;
  /** A reply that is no JSON is taken as the text that it is. */
  readonly bare?: boolean;
}

export interface PostOptions<T> extends AskOptions<T> {
  /** Nobody minds if it is taken twice: a lost reply is a fault like any other. */
  readonly repeatable?: boolean;
}

/** Calls the challenge's HTTP API for one contestant. Paths are those after `/api/challenge/`. */
export interface ApiSession {
  readonly baseUrl: string;
  /**
   * Facts for the person, each once, as they come up: a stale token, clocks apart, a file that others could read. No
   * secret.
   */
  readonly notes: readonly string[];
  /** The login token in use now, or null. Never print it. */
  readonly token: string | null;
  /**
   * GET; trouble of the server or the network is retried with growing pauses, once the token has been checked; 4xx is
   * final.
   */
  get<T>(path: string, options: GetOptions<T>): Promise<T>;
  /** POST, sent once. @throws SortieError `challenge_reply_lost` where it cannot be told whether the server took it */
  post<T>(path: string, body: unknown, options: PostOptions<T>): Promise<T>;
  /** Takes a token from a login for the calls to come. It is not saved. */
  useToken(token: string): void;
  /** Exchanges the login token for a new one now, saves that, and answers it. @throws SortieError `challenge_login_needed` */
  refreshToken(): Promise<string>;
}

export interface SessionOptions {
  /** The value of `--base-url`. */
  readonly baseUrl?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly timers?: Partial<ApiTimers>;
  /** Told when a question did not go well and is asked again, for so long at most: a sentence for people. */
  readonly onRetry?: ((text: string) => void) | undefined;
}

/** Reads the state file and chooses address and token; nothing is sent yet. @throws SortieError `base_url_bad` */
export function openSession(options: SessionOptions): ApiSession {
  const { env, clock = systemClock, baseUrl: given } = options;
  const notes: string[] = [];
  const note = (text: string) => {
    if (!notes.includes(text)) notes.push(text);
  };
  const state = loadStateFile(env);
  for (const text of closeStateFile(state)) note(text);
  const base = chooseBaseUrl({ ...(given !== undefined && { given }), env, state });
  if (base.note !== null) note(base.note);
  if (base.url.startsWith("http:") && !isLoopbackUrl(base.url))
    note(`${showUrl(base.url)} is no https:// address: whoever is on the way can read the login token`);
  const timers = { ...defaultApiTimers, ...options.timers };
  const clocks = new ClockWatch(clock, base.url, note);
  const login = new LoginKeeper({ env, baseUrl: base.url, timers, clocks, note, signal: options.signal });
  const { onRetry = () => undefined } = options;
  return new Session(options.signal, { baseUrl: base.url, clock, timers, notes, clocks, login, onRetry });
}

interface Parts {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly timers: ApiTimers;
  readonly notes: readonly string[];
  readonly clocks: ClockWatch;
  readonly login: LoginKeeper;
  readonly onRetry: (text: string) => void;
}

class Session implements ApiSession {
  readonly baseUrl: string;
  readonly notes: readonly string[];
  readonly #parts: Parts;
  readonly #signal: AbortSignal | undefined;

  constructor(signal: AbortSignal | undefined, parts: Parts) {
    [this.baseUrl, this.notes, this.#parts, this.#signal] = [parts.baseUrl, parts.notes, parts, signal];
  }

  get token(): string | null {
    return this.#parts.login.token;
  }

  useToken(token: string): void {
    this.#parts.login.use(token);
  }

  refreshToken(): Promise<string> {
    return this.#parts.login.refreshNow();
  }

  async get<T>(path: string, options: GetOptions<T>): Promise<T> {
    const { clock, timers, onRetry } = this.#parts;
    const signal = this.#join(options.signal);
    const url = `${this.baseUrl}/api/challenge/${path}${formatQuery(options.query)}`;
    const ask = () => this.#ask({ method: "GET", url, ...signal }, options.anonymous);
    const checkToken = async (trouble: Trouble) => {
      const isWorth = "status" in trouble && options.anonymous !== true && path !== USER_PATH;
      if (isWorth) await this.#checkToken(signal);
    };
    const onPause = (trouble: Trouble) => onRetry(describeRetry(trouble, timers.retryTotalMs));
    const answer =
      options.retries === false
        ? await ask()
        : await retryCalls(ask, { clock, timers, onFirstTrouble: checkToken, onPause, ...signal });
    return judgeAnswer(answer, this.#hide(options));
  }

  async post<T>(path: string, body: unknown, options: PostOptions<T>): Promise<T> {
    const url = `${this.baseUrl}/api/challenge/${path}`;
    const call = { method: "POST", url, body, ...this.#join(options.signal) } as const;
    const isUnsafe = options.repeatable !== true;
    const send = isUnsafe ? exchangeOnce : exchange;
    const answer = await this.#ask(call, options.anonymous, send);
    try {
      return judgeAnswer(answer, this.#hide(options));
    } catch (thrown) {
      throw isUnsafe ? makeLostFault(url, thrown) : thrown;
    }
  }

  /** One question; a token that is refused is replaced and the question asked again: a 401 is taken by nobody. */
  async #ask(call: Omit<Call, "timeoutMs">, anonymous = false, send = exchange): Promise<Answer> {
    const { login, clocks, timers } = this.#parts;
    const limited = { ...call, timeoutMs: timers.requestMs };
    for (;;) {
      const token = anonymous ? undefined : await login.findGood();
      if (call.signal?.aborted) throw new SortieError("interrupted");
      const answer = await send({ ...limited, ...(token !== undefined && { token }) });
      clocks.look(answer.date);
      if (token === undefined) return answer;
      if (answer.status < 400) login.confirm(token);
      // A reply that repeats the token is kept and shown without it.
      if (answer.status !== 401) return { ...answer, text: answer.text.replaceAll(token, "…") };
      await login.replace(token);
    }
  }

  /** Some servers answer 500 to a token that they do not know, a few of them here too. */
  async #checkToken(signal: { signal?: AbortSignal }): Promise<void> {
    const url = `${this.baseUrl}/api/challenge/${USER_PATH}`;
    try {
      const answer = await this.#ask({ method: "GET", url, ...signal });
      if (isTrouble(answer)) await this.#parts.login.renew();
    } catch (thrown) {
      if (!isTrouble(thrown)) throw thrown;
    }
  }

  #hide<T>(options: GetOptions<T>) {
    const secrets = [this.token, ...(options.secrets ?? [])];
    return { ...options, secrets: secrets.filter((secret) => secret !== null) };
  }

  #join(signal?: AbortSignal): { signal?: AbortSignal } {
    const signals = [this.#signal, signal].filter((one) => one !== undefined);
    return signals.length === 0 ? {} : { signal: AbortSignal.any(signals) };
  }
}

const USER_PATH = "current-user-info";

function describeRetry(trouble: Trouble, totalMs: number): string {
  const what =
    "status" in trouble ? `${trouble.shown} answered ${trouble.status}` : trouble.message.replace(/\.$/, "");
  return `${what}: asked again for ${formatDuration(totalMs / 1000)} at most`;
}
