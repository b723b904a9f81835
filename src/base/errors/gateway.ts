import { defineErrors } from "./define.ts";

export const gatewayErrors = defineErrors({
  port_taken: {
    exit: 5,
    retryable: true,
    message: "The gateway cannot listen on {host}:{port}: another process does.",
    hint: "Choose another port, or 0 for a free one.",
  },
  gateway_option_bad: {
    exit: 2,
    message: "The gateway cannot use {what}: {value}.",
    hint: "Give it {wanted}.",
  },
  listen_failed: {
    exit: 5,
    message: "The gateway cannot listen on {host}:{port}: {reason}.",
    hint: "Choose an address of this machine, and a port from 1024 on (or 0 for a free one).",
  },
  job_exists: {
    exit: 2,
    message: "There is a job {uuid} already.",
    hint: "Give the new job a uuid of its own, or none.",
  },
  gateway_stopped: {
    exit: 5,
    message: "The gateway takes no job: it is stopping or has stopped.",
    hint: "Start it again.",
  },
  gateway_running: {
    exit: 5,
    message: "Another gateway works in {folder}.",
    hint: "Stop it first, or give this one a data folder of its own.",
  },
  user_exists: {
    exit: 2,
    message: "There is a user {email} already.",
    hint: "Change the password with `sortie gateway user passwd {email}`, or choose another address.",
  },
  session_lost: {
    exit: 5,
    message: "Session {session} is lost: its agent {agent} did not come back within {seconds} s.",
    hint: "Play the case again with another agent.",
  },
  session_ended: {
    exit: 5,
    message: "Session {session} has ended: {reason}.",
    hint: "Play the case in a new session.",
  },
  observation_waits: {
    exit: 2,
    message: "An observation of session {session} still waits for its action.",
    hint: "Await each infer before the next: a session has one observation at a time.",
  },
  observation_too_big: {
    exit: 2,
    message:
      "An observation of {bytes} bytes ({size}) cannot be sent: with its header a frame has at most {most} bytes.",
    hint: "Send smaller pictures, or fewer.",
  },
  policy_failed: {
    exit: 1,
    message: "The agent answered with an error instead of an action: {reason}.",
    hint: "Look for this text in the log of the agent.",
  },
  simulator_left: {
    exit: 5,
    retryable: true,
    message: "The simulator of case {case} left before it had an action ({reason}).",
    hint: "The case is begun again with the next simulator of its board that dials.",
  },
  simulator_fault: {
    exit: 5,
    message: "The simulator of case {case} broke the protocol: {reason}.",
    hint: "It sends each observation as one binary frame of at most 64 MiB, and the next one after the action.",
  },
  simulator_died: {
    exit: 5,
    retryable: true,
    message: "The simulator died in the middle of a case: {reason}.",
    hint: "Play the case again: the next one gets a new simulator.",
  },
  simulator_failed: {
    exit: 5,
    message: "The simulator failed: {reason}.",
    hint: "Look at the board's simulator in the gateway's configuration; if it is a built-in one, report this.",
  },
});
