import { defineErrors } from "./define.ts";

/** An agent ends with 1 over all of these: so the user's text says. */
export const tunnelErrors = defineErrors({
  gateway_url_bad: {
    exit: 2,
    message: "{url} is no address of a gateway: {reason}.",
    hint: "Take the tunnel_endpoint that came with the job; it begins with ws:// or wss://.",
  },
  agent_setting_bad: {
    exit: 1,
    message: "{what} {reason}.",
    hint: "{advice}",
  },
  tunnel_unauthorized: {
    exit: 1,
    message: "The gateway {host} refused this agent (401{says}).",
    hint: "One of four: the token is missing, wrong or expired; the job {job} is unknown or not yours; the job has ended; the token belongs to another job.",
  },
  tunnel_job_ended: {
    exit: 1,
    message: "The gateway {host} takes no agent for job {job} any more (401{says}).",
    hint: "Nothing is left to do for an agent: the job has ended. Look at its result.",
  },
  tunnel_refused: {
    exit: 1,
    message: "The gateway {host} answered {status}{says}.",
    hint: "{advice}",
  },
  tunnel_wrong_address: {
    exit: 1,
    message: "{url} is no tunnel: {reason}.",
    hint: "Take the tunnel_endpoint that came with the job: the website has another address.",
  },
  tunnel_certificate: {
    exit: 1,
    message: "The certificate of {url} is not accepted: {reason}.",
    hint: "Check that the address is the tunnel_endpoint of the job. If you trust this host's own certificate: NODE_EXTRA_CA_CERTS=/path/to/its.crt before the command.",
  },
  dial_failed: {
    exit: 1,
    retryable: true,
    message: "No tunnel to {host} within {limit}: {reason}.",
    hint: "Check address and network, then start the agent again; the job waits for it.",
  },
  redials_spent: {
    exit: 1,
    retryable: true,
    message: "The tunnel to {host} broke and {spent}{fresh}: {reason}.",
    hint: "If the job is still live, start the agent again. A new job costs a slot: `sortie challenge quota` shows how many are left.",
  },
  pair_taken: {
    exit: 1,
    retryable: true,
    message: "Another process is connected as agent {agentId} of job {job}{says}.",
    hint: "Stop that one, or leave the agent id out: each process makes one of its own.",
  },
  pair_expired: {
    exit: 1,
    retryable: true,
    message: "The gateway {host} lets no agent back into job {job}, under a fresh id neither{says}.",
    hint: "Start the agent again without an agent id, if the job is still live.",
  },
  reply_no_bytes: {
    exit: 1,
    message: "The handler returned {kind}: bytes belong there.",
    hint: "Return the packed action.",
  },
});
