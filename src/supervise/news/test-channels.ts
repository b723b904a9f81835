import { SortieError } from "../../base/error.ts";
import type { SendOutcome } from "../../notify/notifier.ts";
import type { Desk } from "../desk.ts";
import { loadChannels } from "./load-channels.ts";

/** What came of a test card on one channel. */
export interface ChannelTest {
  readonly channel: string;
  /** As `SendOutcome` means it. */
  readonly state: SendOutcome["state"];
  /** null: it was sent. */
  readonly reason: string | null;
}

interface Tests {
  readonly channels: readonly ChannelTest[];
  /** Settings that cannot be used. */
  readonly faults: readonly SortieError[];
  readonly warnings: readonly string[];
}

/**
 * Sends one card on each channel, past the outbox: whoever calls it wants to see what comes of it now.
 * @throws notify_unset, and where nothing is left to send by, what is wrong with the settings
 */
export async function testChannels(desk: Desk, signal: AbortSignal): Promise<Tests> {
  const { notifiers, faults, warnings } = await loadChannels(desk);
  if (notifiers.length === 0) {
    if (faults[0] !== undefined) throw faults[0];
    const reason =
      warnings[0]?.replace(/\.$/, "") ?? "there is no file of Feishu's settings, or its mode is off";
    throw new SortieError("notify_unset", { reason, config: desk.home.config });
  }
  const at = desk.clock.now().toISOString();
  const channels = notifiers.map(async (notifier): Promise<ChannelTest> => {
    const notice = { kind: "test", subject: "test", phase: at, at } as const;
    const outcome = await notifier.send(notice, signal);
    const reason = outcome.state === "sent" ? null : outcome.reason;
    return { channel: notifier.channel, state: outcome.state, reason };
  });
  return { channels: await Promise.all(channels), warnings, faults };
}
