import type { GatewayFlags } from "./gateway-flags.ts";
import type { Link } from "./link.ts";
import type { Session } from "./session.ts";

/**
 * Goes on with a session over the link of an agent that is back: says how many replies came, so that the agent knows
 * whether its last one did, then sends what still waits for one.
 */
export function resumeSession(
  session: Session,
  link: Pick<Link, "sendControl">,
  { sendResume, resendOnResume }: GatewayFlags,
): void {
  const { sessionId, replies, isWaiting, isOwed } = session;
  const resend = isWaiting && (resendOnResume || isOwed);
  if (sendResume) link.sendControl({ type: "resume", sessionId, replies, resend });
  if (resend) session.send();
}
