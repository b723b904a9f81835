import { describeFault, SortieError } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import { showUrl } from "../base/show-url.ts";

/**
 * - `unauthorized`: 401. A fresh token may help.
 * - `final`: another dial would go the same way.
 * - `busy`: the gateway, or what stands before it, is there but does not take us now. - `network`: nobody was reached.
 */
export type DialFailure =
  | { readonly kind: "unauthorized"; readonly error: SortieError }
  | { readonly kind: "final"; readonly error: SortieError }
  | { readonly kind: "busy" | "network"; readonly reason: string };

/** What came where a 101 was wanted. */
export interface DialResponse {
  readonly status: number;
  readonly contentType: string;
  /** Its start. */
  readonly body: string;
}

const MOST_SHOWN = 160;
/** The words of our gateway, and some like them. A question, or one cause of several, is none. */
const JOB_ENDED =
  /^(the |this |your )?job (has |is |was )?(already )?(ended|over|finished|completed?)[.!]?$/i;

/** What an answer other than 101 means; redirects are looked at before. */
export function judgeResponse(response: DialResponse, url: URL): DialFailure {
  const { status } = response;
  const isHtml = /html/i.test(response.contentType) || /^\s*<(!doctype|html)/i.test(response.body);
  const details = {
    host: url.host,
    job: url.searchParams.get("job"),
    status,
    says: quoteBody(response.body),
  };
  // Who says so took the token for good: no new one helps.
  if (status === 401 && JOB_ENDED.test(readErrorText(response.body) ?? ""))
    return { kind: "final", error: new SortieError("tunnel_job_ended", details) };
  if (status === 401) return { kind: "unauthorized", error: new SortieError("tunnel_unauthorized", details) };
  if (status === 429 || status >= 500)
    return { kind: "busy", reason: `it answered ${status}${details.says}` };
  const advice = adviceByStatus[status];
  if (advice !== undefined && !isHtml)
    return { kind: "final", error: new SortieError("tunnel_refused", { ...details, advice }) };
  return refuseAddress(url, `it answered ${describeStatus(status, isHtml)}${details.says}`);
}

/** What a dial that broke off means. `proxy`: the proxy's address, where one was dialled through. */
export function judgeDialFault(thrown: unknown, url: URL, proxy?: string): DialFailure {
  const code = readCode(thrown);
  const text = makePrintable(describeFault(thrown)) || code;
  const through = proxy === undefined ? "" : `through the proxy ${proxy}: `;
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) {
    const details = { url: showUrl(url), reason: `${text} (${code})` };
    return { kind: "final", error: new SortieError("tunnel_certificate", details) };
  }
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "EPROTO")
    return refuseAddress(url, `it speaks no TLS (${findTlsReason(thrown) ?? code})`);
  if (/^HPE_/.test(code) && !/EOF|CLOSED/.test(code))
    return refuseAddress(url, `it speaks no HTTP (${text})`);
  // ws gives its own refusals of a wrong handshake no code.
  if (code === "" && /^(Invalid|Missing|Server)\b/.test(text))
    return refuseAddress(url, `its WebSocket handshake is wrong (${text})`);
  const words = Object.hasOwn(wordsByCode, code) ? wordsByCode[code] : undefined;
  const reason = words === undefined ? text : `${words} (${code})`;
  return { kind: "network", reason: through + reason };
}

/** The failure of an address behind which there is no tunnel. */
export function refuseAddress(url: URL, reason: string): DialFailure {
  return { kind: "final", error: new SortieError("tunnel_wrong_address", { url: showUrl(url), reason }) };
}

function describeStatus(status: number, isHtml: boolean): string {
  if (isHtml) return `a web page (${status})`;
  return status === 101 ? "101 without the change to WebSocket" : `${status} instead of 101`;
}

/** Why OpenSSL gave up, without the places in its sources, which take several lines. */
function findTlsReason(thrown: unknown): string | undefined {
  const { reason } = (thrown ?? {}) as { reason?: unknown };
  if (typeof reason === "string") return makePrintable(reason);
  const words = /SSL routines:[^:]*:([^:\n]+)/.exec(describeFault(thrown))?.[1];
  return words && makePrintable(words);
}

const adviceByStatus: Readonly<Record<number, string>> = {
  403: "The token is good but may not do this: check that the job is yours, and that no firewall or proxy stands between.",
  404: "Check the path of the address, and that the job exists; the tunnel_endpoint of the job's reply has both.",
  407: "The proxy wants a user name and a password: write them into its URL.",
};

const wordsByCode: Readonly<Record<string, string>> = {
  ENOTFOUND: "DNS knows no such name",
  EAI_AGAIN: "DNS does not answer",
  ECONNREFUSED: "nobody listens there",
  ECONNRESET: "the connection was reset",
  ETIMEDOUT: "no answer",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  EPIPE: "the connection was closed",
};

/** The words of the error body `{"status":"error","error":TEXT}`, else the start of what came, in quotes. */
function quoteBody(body: string): string {
  const words = readErrorText(body) ?? body;
  const text = makePrintable(words.replace(/\s+/g, " ").trim().slice(0, MOST_SHOWN));
  return text === "" ? "" : `: "${text}"`;
}

function readErrorText(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === "string" ? error : undefined;
  } catch {
    return undefined; // no JSON: shown as it is
  }
}

/** Several addresses of one name fail together: the fault then carries a list. */
function readCode(thrown: unknown): string {
  const { code, errors } = (thrown ?? {}) as { code?: unknown; errors?: unknown };
  if (typeof code === "string") return code;
  return Array.isArray(errors) && errors.length > 0 ? readCode(errors[0]) : "";
}
