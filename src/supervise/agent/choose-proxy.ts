import { getProxyForUrl } from "proxy-from-env";
import { SortieError } from "../../base/error.ts";
import { showUrl } from "../../base/show-url.ts";

export interface ChosenProxy {
  readonly url?: string;
  /** For the log; undefined where there is nothing to say. Names and passwords of proxies are not in it. */
  readonly said?: string;
}

/**
 * The proxy that a tunnel goes through: none unless `--proxy` names one, or says that the environment shall. Proxies that
 * are made for pages cut long connections, so that one which is merely set is left alone. @throws SortieError `value_bad`
 */
export function chooseProxy(wanted: string | undefined, gatewayUrl: string): ChosenProxy {
  const found = findProxy(gatewayUrl);
  if (wanted === undefined && found === undefined) return {};
  if (wanted === undefined)
    return {
      said: "the proxy of the environment is ignored: the tunnel goes direct (--proxy env would use it)",
    };
  const url = wanted === "env" ? found : wanted;
  if (url === undefined)
    return { said: "the environment names no proxy for this gateway: the tunnel goes direct" };
  checkProxy(url);
  return { url, said: `through the proxy ${new URL(url).host}` };
}

/** What a client of pages would use for this address, by the environment of this process. */
function findProxy(gatewayUrl: string): string | undefined {
  return getProxyForUrl(gatewayUrl.replace(/^ws/i, "http")) || undefined;
}

function checkProxy(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new SortieError("value_bad", {
    what: "--proxy",
    value: JSON.stringify(showUrl(url)),
    reason: "it is not the address of an HTTP proxy",
    advice: "Write --proxy http://HOST:PORT, or --proxy env for the one that the environment names.",
  });
}
