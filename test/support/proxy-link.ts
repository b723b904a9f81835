import { connect as dial, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** `up`: from whoever dialled to the target. `down`: back. */
export type LinkDirection = "up" | "down";

/** `reset`: both ends get an RST. `fin`: both get an orderly end of the stream. */
export type CutKind = "reset" | "fin";

/** What all links of a proxy share. */
export interface Shape {
  delayMs: number;
  bytesPerSecond: number;
  cutAt?: { direction: LinkDirection; bytes: number; kind: CutKind };
  cutBehind?: { ms: number; kind: CutKind };
  holdBehindMs?: number;
  readonly paused: Set<LinkDirection>;
  readonly passed: Record<LinkDirection, number>;
}

/** One connection through a proxy: its two sockets and what flows between them. */
export interface ProxyLink {
  readonly closed: Promise<unknown>;
  cut(kind: CutKind): void;
  freeze(): void;
  wake(): void;
}

/** Joins a connection that came with one to the target. Without a port it is taken and never answered. */
export function openLink(client: Socket, targetPort: number | undefined, shape: Shape): ProxyLink {
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
  let { holdBehindMs } = shape;
  if (target) {
    shape.cutBehind = undefined;
    shape.holdBehindMs = undefined;
  }
  let isMuted = false;
  /** Passes the head of the answer on, and nothing behind it. */
  const passHead = (chunk: Buffer, to: Socket, { ms, kind }: { ms: number; kind: CutKind }) => {
    if (isMuted) return;
    isMuted = true;
    to.write(chunk.subarray(0, chunk.indexOf("\r\n\r\n") + 4));
    sleep(ms, undefined, { signal: ending.signal }).then(() => cut(kind), ignore);
  };
  /** Passes the head of the answer on, and what is behind it so much later. */
  const holdBody = async (chunk: Buffer, to: Socket, ms: number) => {
    const headBytes = chunk.indexOf("\r\n\r\n") + 4;
    to.write(chunk.subarray(0, headBytes));
    await sleep(ms, undefined, { signal: ending.signal }).catch(ignore);
    if (!isFrozen) to.write(chunk.subarray(headBytes));
  };
  const wakes: (() => void)[] = [];
  const flow = (from: Socket, to: Socket, direction: LinkDirection) => {
    const line = makeLine(shape, direction, ending.signal, (chunk) => {
      if (isFrozen) return;
      if (cutBehind && direction === "down") return passHead(chunk, to, cutBehind);
      if (holdBehindMs !== undefined && direction === "down") {
        const ms = holdBehindMs;
        holdBehindMs = undefined;
        return holdBody(chunk, to, ms);
      }
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

/** Faults of a link are what the proxy is for: nobody is told. */
export function ignore() {
  return undefined;
}
