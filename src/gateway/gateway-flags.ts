/** All in milliseconds. */
export interface GatewayTimers {
  readonly pingMs: number;
  /** Silence after which a link is ended and the window opens. */
  readonly readDeadlineMs: number;
  /** How long a session waits for its agent to come back. */
  readonly windowMs: number;
  /** How long drained agents may take before their links are cut. */
  readonly drainMs: number;
}

/** PROTOCOL 1.6. */
export const gatewayTimers: GatewayTimers = {
  pingMs: 20_000,
  readDeadlineMs: 45_000,
  windowMs: 30_000,
  drainMs: 60_000,
};

/** What is known or guessed of the platform differs from what is best: each difference has a switch. */
export interface GatewayFlags {
  /** Sends the unanswered observation again after a resume. */
  readonly resendOnResume: boolean;
  /** Says after a resume how many replies arrived. */
  readonly sendResume: boolean;
  /** As on the platform, a reply that nobody waits for becomes the answer to the next observation. */
  readonly strictFrames: boolean;
  readonly capScope: "user" | "job";
  /** `typed` tells the reason of a close in code and words; `silent` does not, as the platform. */
  readonly closeCodes: "silent" | "typed";
  /** Says `queued` once to a ready agent for which there is no case. */
  readonly emitQueued: boolean;
}

export const gatewayFlags: GatewayFlags = {
  resendOnResume: true,
  sendResume: true,
  strictFrames: false,
  capScope: "job",
  closeCodes: "typed",
  emitQueued: true,
};

/** The flags under which the gateway does what the platform does. */
export const platformFlags: GatewayFlags = {
  ...gatewayFlags,
  resendOnResume: false,
  sendResume: false,
  strictFrames: true,
  closeCodes: "silent",
};
