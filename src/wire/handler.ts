import type { SortieError } from "../base/error.ts";

/**
 * Whoever answers the frames of a tunnel: a model's code behind a worker thread, a child process, or a plain object in
 * a test. The tunnel is given one and knows nothing of what is behind it.
 *
 * Calls come one at a time: the next one is made when the last one has settled; only `stop` may come between. A call
 * that rejects is a fault of that call alone: the tunnel answers with an error envelope and goes on.
 *
 * Empty frames. A handler that offers `load` itself never sees one. For a handler without it, whoever implements this
 * interface calls its `handle("", b"")` once inside `load`, as the first gateways warmed up, and throws its answer away.
 * Every later empty frame is answered empty by the tunnel: `handle` is never called with an empty payload from outside.
 */
export interface FrameHandler {
  /**
   * Resolves, and only then, when what is behind the handler ended by itself: a crash, an exit, a killed process. The
   * agent answers what is open with an error envelope and ends: an agent without a handler would hold its slot in vain.
   */
  readonly died?: Promise<SortieError>;

  /**
   * Called once, at the first WARMUP: loads the weights. It resolves when frames can be answered; it may take minutes.
   * When it rejects, the agent sends no `ready` and ends with exit code 1.
   */
  load(): Promise<void>;

  /** A session begins: state of its own may be made. `sid` holds the bytes of the session id, at most 256. */
  open(sid: Uint8Array): Promise<void>;

  /**
   * A session ends: its state can go. Called once for each session opened, also when a drain or the end of the tunnel
   * ends it; not called over a redial that resumes the session.
   */
  close(sid: Uint8Array): Promise<void>;

  /**
   * Answers one observation with one action, both opaque bytes. `payload` is never empty and may be a view of a larger
   * buffer. It stays the caller's, who compares it with what comes after a redial: it is neither changed nor
   * transferred. The action belongs to the caller from the moment it is returned, and is kept until its delivery is sure.
   */
  handle(sid: Uint8Array, payload: Uint8Array): Promise<Uint8Array>;

  /**
   * Ends the handler and everything that it started; it resolves when nothing is left, and never rejects. A call that
   * is still open rejects. `patienceMs`: how long one that is idle may take to end by itself; calling it again may only
   * shorten that.
   */
  stop(patienceMs?: number): Promise<void>;
}
