import { SortieError } from "../../base/error.ts";
import { isLoopbackHost } from "../../base/loopback.ts";
import { quoteInput } from "../../base/quote-input.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { readPlace } from "../../gateway/config/value-readers.ts";
import { formatAddress } from "../../gateway/format-address.ts";
import type { Challenge } from "../../gateway/host/challenge-options.ts";
import { startChallenge } from "../../gateway/host/start-challenge.ts";
import type { ListenPlace } from "../../gateway/listen.ts";
import { explainDataFault } from "../../gateway/records/open-records.ts";

export type { Challenge };

export interface ServeOptions {
  /** HOST:PORT instead of what the configuration says. */
  readonly listen?: string;
  readonly openSimulators: boolean;
  readonly onLog: (line: string) => void;
}

/** Places that other machines reach, in clear text. */
export function listPublicPlaces({ listen, policy }: GatewayConfig): string[] {
  return [listen, policy.openpi, policy.corobot]
    .filter((place) => place !== undefined)
    .filter((place) => !isLocal(place))
    .map(({ host, port }) => formatAddress(host, port));
}

/** The configuration with what the command line says instead. @throws value_bad, listen_unsafe */
export function applyFlags(
  config: GatewayConfig,
  { listen, openSimulators }: Pick<ServeOptions, "listen" | "openSimulators">,
): GatewayConfig {
  const applied = listen === undefined ? config : { ...config, listen: readListen(listen) };
  const [place] = listPublicPlaces(applied);
  if (openSimulators && place !== undefined) throw new SortieError("listen_unsafe", { place });
  return applied;
}

/** Hosts the challenge until it is stopped. @throws what `startChallenge` and `openRecords` throw */
export async function serveChallenge(
  config: GatewayConfig,
  { openSimulators, onLog }: ServeOptions,
): Promise<Challenge> {
  try {
    return await startChallenge(config, { openSimulators, onLog });
  } catch (fault) {
    throw explainDataFault(fault, config.dataFolder);
  }
}

function readListen(text: string): ListenPlace {
  const read = readPlace(text);
  if ("value" in read) return read.value;
  throw new SortieError("value_bad", {
    ...{ what: "--listen", value: quoteInput(text), reason: `it ${read.problem}` },
    advice: "Write HOST:PORT, as in 127.0.0.1:8700 or [::1]:8700.",
  });
}

function isLocal({ host }: ListenPlace): boolean {
  return isLoopbackHost(host.includes(":") ? `[${host}]` : host);
}
