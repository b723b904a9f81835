import { connect } from "node:net";
import { describeFault } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";

const CONNECT_MS = 5_000;

/** Why nobody is reached at this address, a clause; null where somebody is. Connects, and sends nothing. */
export function probeEndpoint(url: string, signal: AbortSignal): Promise<string | null> {
  const { hostname, port, protocol } = new URL(url);
  const number = port === "" ? (protocol === "wss:" ? 443 : 80) : Number(port);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: number });
    const end = (reason: string | null) => {
      socket.destroy();
      signal.removeEventListener("abort", stop);
      resolve(reason);
    };
    const stop = () => end(null);
    signal.addEventListener("abort", stop, { once: true });
    socket.setTimeout(CONNECT_MS, () => end(`no answer within ${CONNECT_MS / 1000} s`));
    socket.once("connect", () => end(null));
    socket.once("error", (fault) => end(makePrintable(describeFault(fault)) || "the connection failed"));
  });
}
