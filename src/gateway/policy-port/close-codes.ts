/** Why our side closes the connection of a simulator, as the code of the WebSocket close frame. */
export const policyCloseCodes = {
  /** The case has its score. */
  done: 1000,
  /** The gateway is stopping. */
  stopping: 1001,
  /** An observation before the last one was answered, or a frame that breaks the rules of WebSocket. */
  out_of_turn: 1002,
  /** A text frame: observations are binary. */
  text: 1003,
  /** An observation beyond 64 MiB. */
  too_big: 1009,
  /** The agent is lost, the job was stopped, or the case took too long: it begins anew, if at all. */
  broken_off: 1011,
} as const;
