import type { AgentSettings } from "./check-settings.ts";
import type { Link, LinkEnd } from "./link.ts";
import type { ServedEnd } from "./link-keeper.ts";
import type { Secrets } from "./secrets.ts";
import { waitAtMost } from "./wait-at-most.ts";

/** How long a close is waited for; the link itself waits for 2 s. */
const CLOSE_MS = 2_500;

export interface LinkUse {
  /** The link is one, and no refusal. Comes once, before its first frame. */
  readonly onAccepted: () => void;
  readonly onText: (text: string) => void;
  readonly onBinary: (fragments: readonly Uint8Array[]) => void;
}

/** Where the link of an agent is, while there is one. */
export class LinkPlace {
  readonly #settings: Pick<AgentSettings, "clock" | "timers">;
  /** What of the words of a close is not to be shown. */
  readonly #secrets: Secrets;
  #link: Link | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #hasServed = false;

  constructor(settings: Pick<AgentSettings, "clock" | "timers">, secrets: Secrets) {
    this.#settings = settings;
    this.#secrets = secrets;
  }

  /** The end of the present link; at once where there is none. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** The present link is of use: something new came over it, or a reply got there. */
  noteProgress() {
    this.#hasServed = true;
  }

  /**
   * Lets the frames of a link in; resolves with its end. A gateway may be silent at first, but one that refuses does so at
   * once: so a link counts as accepted at the first sign, or without one when the time for refusals is over.
   */
  async serve(link: Link, { onAccepted, onText, onBinary }: LinkUse): Promise<ServedEnd> {
    const { clock, timers } = this.#settings;
    const decided = new AbortController();
    const accept = () => {
      if (decided.signal.aborted || !link.isOpen) return;
      decided.abort();
      onAccepted();
    };
    this.#link = link;
    this.#hasServed = false;
    const ended = new Promise<LinkEnd>((resolve) => {
      link.start({ onSign: accept, onText, onBinary, onEnd: resolve });
    });
    this.#ended = ended;
    clock.sleep(timers.refusalMs, decided.signal).then(accept);
    const end = await ended;
    decided.abort();
    this.#link = undefined;
    return { ...end, reason: this.#secrets.clean(end.reason), hasServed: this.#hasServed };
  }

  /** Ends the link, where there is one, in order, and waits until it has ended. */
  async close(code: number, reason: string) {
    this.#link?.close(code, reason);
    await waitAtMost(CLOSE_MS, this.#settings.clock, [this.#ended]);
  }
}
