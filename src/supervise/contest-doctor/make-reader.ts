import { SortieError } from "../../base/error.ts";
import { exchange } from "../../challenge/api/exchange.ts";
import { formatQuery } from "../../challenge/api/format-query.ts";
import { judgeAnswer } from "../../challenge/api/judge-answer.ts";
import type { ApiSession } from "../../challenge/api/session.ts";

interface ReaderOptions {
  readonly baseUrl: string;
  /** null: calls are sent without one. */
  readonly token: string | null;
  readonly signal: AbortSignal;
  /** Called with the server's own time, as often as it tells. */
  readonly onDate: (date: Date) => void;
}

const REQUEST_MS = 10_000;

/**
 * A session that only reads, with this one token, each call once: it refreshes and saves nothing, so that what is wrong
 * with a token can be told of it.
 */
export function makeReader({ baseUrl, token, signal, onDate }: ReaderOptions): ApiSession {
  return {
    ...{ baseUrl, token, notes: [] },
    async get(path, options) {
      const shown = options.anonymous || token === null ? {} : { token };
      const url = `${baseUrl}/api/challenge/${path}${formatQuery(options.query)}`;
      const answer = await exchange({ method: "GET", url, timeoutMs: REQUEST_MS, signal, ...shown });
      if (answer.date !== null) onDate(answer.date);
      const secrets = token === null ? [] : [token];
      return judgeAnswer(answer, { ...options, secrets: [...secrets, ...(options.secrets ?? [])] });
    },
    post: refuse,
    useToken: refuse,
    refreshToken: refuse,
  };
}

function refuse(): never {
  throw new SortieError("internal", { reason: "a reader was told to change something" });
}
