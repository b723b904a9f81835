import type { Job, TunnelView } from "./gateway-options.ts";
import type { JobRun } from "./job-run.ts";
import type { Tunnel } from "./tunnel.ts";

/** A job as its owner sees it. The token is known here alone; the gateway keeps its hash. */
export function makeJob(run: JobRun, token: string): Job {
  return {
    uuid: run.uuid,
    token,
    ended: run.ended,
    get tunnels() {
      return Array.from(run.tunnels.values(), viewTunnel);
    },
    drain: () => run.drain(),
    cutLink: (agentId) => {
      const link = run.tunnels.get(agentId)?.link;
      link?.cut("cut on purpose");
      return link !== undefined;
    },
    sendFrame: (agentId, data) => {
      const link = run.tunnels.get(agentId)?.link;
      link?.sendRaw(data);
      return link !== undefined;
    },
  };
}

function viewTunnel({ agentId, state, link, session }: Tunnel): TunnelView {
  return { agentId, state, isConnected: link !== undefined, sessionId: session?.sessionId };
}
