import { createServer, type Server } from "node:net";
import {
  type CutKind,
  ignore,
  type LinkDirection,
  openLink,
  type ProxyLink,
  type Shape,
} from "./proxy-link.ts";

/**
 * A TCP proxy on loopback for the faults of a network, made on real sockets. Faults hold for the links that are open;
 * delay, throttle, pause and `onDial` also for those to come.
 */
export interface LinkProxy {
  readonly port: number;
  /** How many links are open, frozen ones included, and how many were ever dialled. */
  readonly links: number;
  readonly dialed: number;
  /** Bytes passed on, over all links. */
  readonly passed: Readonly<Record<LinkDirection, number>>;
  /** The URL of the target, by way of the proxy. */
  route(url: string): string;
  /** Cuts every open link. */
  cut(kind?: CutKind): void;
  /** Cuts the link over which that many more bytes have passed in a direction, right behind that byte. Once. */
  cutAfter(direction: LinkDirection, bytes: number, kind?: CutKind): void;
  /**
   * Makes every open link half-open: what comes from either end is swallowed, the end of one is not told to the other,
   * and nobody gets a FIN.
   */
  freeze(): void;
  /** Passes no byte of the next link down behind the answer to its handshake, and cuts it so much later. Once. */
  cutBehindHandshake(ms: number, kind?: CutKind): void;
  /** Holds back what the next link brings down behind the answer to its handshake, so long. Once. */
  holdBehindHandshake(ms: number): void;
  /** What becomes of the next dials: `pass` (default), `reset`, or `swallow`, taken and never answered. */
  onDial(what: "pass" | "reset" | "swallow"): void;
  /** Every chunk arrives this much later, in order. */
  delay(ms: number): void;
  /** At most so many bytes a second in each direction; 0 lifts it. */
  throttle(bytesPerSecond: number): void;
  /** Holds what flows in a direction back, or in both, until `resume`; a cut loses it. */
  pause(direction?: LinkDirection): void;
  resume(direction?: LinkDirection): void;
  /** Sends later dials to another port: the target came back elsewhere. */
  retarget(port: number): void;
  close(): Promise<void>;
}

/** Starts a proxy to a port of this machine. */
export async function startLinkProxy(targetPort: number): Promise<LinkProxy> {
  const shape: Shape = { delayMs: 0, bytesPerSecond: 0, paused: new Set(), passed: { up: 0, down: 0 } };
  const links = new Set<ProxyLink>();
  let onDial: "pass" | "reset" | "swallow" = "pass";
  let dialed = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    dialed += 1;
    if (onDial === "reset") return client.on("error", ignore).resetAndDestroy();
    const link = openLink(client, onDial === "swallow" ? undefined : targetPort, shape);
    links.add(link);
    link.closed.then(() => links.delete(link));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = findPort(server);
  return {
    port,
    get links() {
      return links.size;
    },
    get dialed() {
      return dialed;
    },
    passed: shape.passed,
    route: (url) => url.replace(/^(\w+:\/\/)[^/?]*/, `$1127.0.0.1:${port}`),
    cut: (kind = "reset") => {
      for (const link of links) link.cut(kind);
    },
    cutAfter: (direction, bytes, kind = "reset") => {
      shape.cutAt = { direction, bytes: shape.passed[direction] + bytes, kind };
    },
    freeze: () => {
      for (const link of links) link.freeze();
    },
    cutBehindHandshake: (ms, kind = "reset") => {
      shape.cutBehind = { ms, kind };
    },
    holdBehindHandshake: (ms) => {
      shape.holdBehindMs = ms;
    },
    onDial: (what) => {
      onDial = what;
    },
    delay: (ms) => {
      shape.delayMs = ms;
    },
    throttle: (bytesPerSecond) => {
      shape.bytesPerSecond = bytesPerSecond;
    },
    pause: (direction) => {
      for (const one of listDirections(direction)) shape.paused.add(one);
    },
    resume: (direction) => {
      for (const one of listDirections(direction)) shape.paused.delete(one);
      for (const link of links) link.wake();
    },
    retarget: (other) => {
      targetPort = other;
    },
    close: async () => {
      for (const link of links) link.cut("reset");
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listDirections(direction?: LinkDirection): LinkDirection[] {
  return direction === undefined ? ["up", "down"] : [direction];
}

function findPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy listens on no port");
  return address.port;
}
