import type { ClientRequest } from "node:http";
import { isIP, type Socket } from "node:net";
import type { Clock } from "../base/clock.ts";

/**
 * Says when no connection came about within so many milliseconds after the name was resolved. Where a network swallows
 * everything, the system asks again after ever longer pauses; a new dial asks at once, so that the tunnel is back soon
 * after its network. Whoever answers slowly is not concerned.
 */
export function limitConnect(request: ClientRequest, ms: number, clock: Clock, onLimit: () => void) {
  request.once("socket", (socket: Socket) => {
    if (!socket.connecting) return;
    const isOver = new AbortController();
    const wait = async () => {
      await clock.sleep(ms, isOver.signal);
      if (!isOver.signal.aborted) onLimit();
    };
    socket.once("connect", () => isOver.abort());
    socket.once("close", () => isOver.abort());
    if (isIP(request.host.replace(/^\[|\]$/g, "")) > 0) wait();
    else socket.once("lookup", wait);
  });
}
