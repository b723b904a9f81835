import { connect } from "node:net";
import type { Endpoint } from "./find-endpoint.ts";
import type { VastInstance } from "./instance.ts";

const CONNECT_MS = 4000;

export interface ReachedEndpoint extends Endpoint {
  readonly way: "direct" | "proxy";
}

/**
 * Where the instance's sshd is to be dialled: its own port where that takes connections, else the vendor's proxy. null: the
 * vendor tells neither. The proxy is not tried here, since it takes connections for instances that are down as well.
 */
export async function reachEndpoint({
  direct,
  proxy,
}: Pick<VastInstance, "direct" | "proxy">): Promise<ReachedEndpoint | null> {
  if (direct !== null && (proxy === null || (await takesConnections(direct))))
    return { ...direct, way: "direct" };
  return proxy === null ? null : { ...proxy, way: "proxy" };
}

function takesConnections({ host, port }: Endpoint): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}
