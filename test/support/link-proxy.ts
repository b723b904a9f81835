import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** `up`: from whoever dialled to the target. `down`: back. */
export type LinkDirection = "up" | "down";

/** `reset`: both ends get an RST. `fin`: both get an orderly end of the stream. */
export type CutKind = "reset" | "fin";

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
  const links = new Set<Link>();
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

/** What all links of a proxy share. */
interface Shape {
  delayMs: number;
  bytesPerSecond: number;
  cutAt?: { direction: LinkDirection; bytes: number; kind: CutKind };
  cutBehind?: { ms: number; kind: CutKind };
  readonly paused: Set<LinkDirection>;
  readonly passed: Record<LinkDirection, number>;
}

interface Link {
  readonly closed: Promise<unknown>;
  cut(kind: CutKind): void;
  freeze(): void;
  wake(): void;
}

function openLink(client: Socket, targetPort: number | undefined, shape: Shape): Link {
  const ending = new AbortController();
  const target =
    targetPort === undefined ? undefined : dial({ port: targetPort, host: "127.0.0.1", allowHalfOpen: true });
  const sockets = target ? [client, target] : [client];
  let isFrozen = target === undefined;
  const cut = (kind: CutKind) => {
    isFrozen = true; // what is still on its way is lost
    for (const socket of sockets) {
      if (kind === "fin") socket.end();
      // A stream that was ended already cannot be reset: Node would leave it open.
      else if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
    }
    ending.abort();
  };
  const { cutBehind } = shape;
  if (target) shape.cutBehind = undefined;
  let isMuted = false;
  /** Passes the head of the answer on, and nothing behind it. */
  const passHead = (chunk: Buffer, to: Socket, { ms, kind }: { ms: number; kind: CutKind }) => {
    if (isMuted) return;
    isMuted = true;
    to.write(chunk.subarray(0, chunk.indexOf("\r\n\r\n") + 4));
    sleep(ms, undefined, { signal: ending.signal }).then(() => cut(kind), ignore);
  };
  const wakes: (() => void)[] = [];
  const flow = (from: Socket, to: Socket, direction: LinkDirection) => {
    const line = makeLine(shape, direction, ending.signal, (chunk) => {
      if (isFrozen) return;
      if (cutBehind && direction === "down") return passHead(chunk, to, cutBehind);
      const { cutAt } = shape;
      const left = cutAt?.direction === direction ? cutAt.bytes - shape.passed[direction] : Infinity;
      shape.passed[direction] += Math.min(left, chunk.length);
      if (left > chunk.length) return to.write(chunk) ? undefined : new Promise((go) => to.once("drain", go));
      shape.cutAt = undefined;
      // The bytes before the cut are handed to the system first.
      to.write(chunk.subarray(0, left), () => cut(cutAt?.kind ?? "reset"));
      isFrozen = true;
      return undefined;
    });
    wakes.push(line.wake);
    from.on("data", line.push);
    from.on("end", () => line.finish(() => isFrozen || to.end()));
  };
  for (const socket of sockets) {
    socket.setNoDelay(true);
    socket.on("error", ignore);
    socket.on("data", ignore); // a frozen link reads too, and forgets
    socket.on("close", (hadError) => {
      // An end that broke off breaks the other one off, unless the network between them is silent.
      if (!isFrozen && hadError) cut("reset");
    });
  }
  if (target) {
    flow(client, target, "up");
    flow(target, client, "down");
  }
  const closed = Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve))),
  );
  return {
    closed: closed.then(() => ending.abort()),
    cut,
    freeze: () => {
      isFrozen = true;
    },
    wake: () => {
      for (const wake of wakes) wake();
    },
  };
}

/** Passes chunks on in order, each when pause, delay and throttle allow it. */
function makeLine(
  shape: Shape,
  direction: LinkDirection,
  signal: AbortSignal,
  pass: (chunk: Buffer) => unknown,
) {
  const waiting: { chunk: Buffer; atMs: number }[] = [];
  let isBusy = false;
  let finish: (() => void) | undefined;
  const run = async () => {
    if (isBusy) return;
    isBusy = true;
    while (!shape.paused.has(direction) && waiting.length > 0 && !signal.aborted) {
      const [{ chunk, atMs }] = waiting as [(typeof waiting)[0]];
      const waitMs = atMs + shape.delayMs - performance.now();
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(ignore);
      if (shape.bytesPerSecond > 0)
        await sleep((1000 * chunk.length) / shape.bytesPerSecond, undefined, { signal }).catch(ignore);
      waiting.shift();
      const drained = pass(chunk);
      if (drained instanceof Promise) await Promise.race([drained, untilAborted(signal)]);
    }
    isBusy = false;
    if (waiting.length === 0) finish?.();
  };
  return {
    push: (chunk: Buffer) => {
      waiting.push({ chunk, atMs: performance.now() });
      run();
    },
    finish: (then: () => void) => {
      finish = then;
      run();
    },
    wake: () => void run(),
  };
}

function untilAborted(signal: AbortSignal): Promise<unknown> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

function listDirections(direction?: LinkDirection): LinkDirection[] {
  return direction === undefined ? ["up", "down"] : [direction];
}

function findPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy listens on no port");
  return address.port;
}

/** Faults of a link are what the proxy is for: nobody is told. */
function ignore() {
  return undefined;
}
