import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { describeFault } from "../base/error.ts";
import { closeCodes, makeCloseReason } from "../wire/close-codes.ts";
import { MAX_MESSAGE_BYTES } from "../wire/message.ts";
import { RESUME_FOLLOWS, RESUME_HEADER } from "../wire/resume-header.ts";
import { admit, type ClosedReason } from "./admit.ts";
import { AgentSocket } from "./agent-socket.ts";
import { parseDial } from "./dial-request.ts";
import type { JobHost } from "./job-parts.ts";
import type { JobTable } from "./job-table.ts";
import { Link } from "./link.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";

const webSocketOptions = {
  noServer: true,
  WebSocket: AgentSocket,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
  /** How long a socket may take to answer our close before it is destroyed, in milliseconds. */
  closeTimeout: 5_000,
};

/** Where the upgrades of an HTTP server go. */
export interface TunnelDoor {
  receive(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sockets that came through and are not gone. */
  readonly size: number;
  /** From now on lets in only agents that come back to a session. */
  leave(): void;
  /** Destroys them. */
  close(): void;
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** The door that agents dial: it reads a dial, admits or refuses it, and hands the link to the tunnel of its job. */
export function makeTunnelDoor(
  jobs: JobTable,
  host: JobHost,
  findOwner?: (token: string) => Promise<string | undefined>,
): TunnelDoor {
  const server = new WebSocketServer(webSocketOptions);
  const open = new Set<AgentSocket>();
  let isLeaving = false;
  if (host.flags.sendResume) {
    server.on("headers", (headers) => headers.push(`${RESUME_HEADER}: ${RESUME_FOLLOWS}`));
  }
  const answer = (dial: ReturnType<typeof parseDial>, upgrade: Upgrade, owner?: string) => {
    const { flags } = host;
    const admission =
      dial.fault === undefined ? admit(dial, owner, { jobs, flags, isLeaving }) : { refusal: dial.fault };
    const { refusal } = admission;
    const { request, socket, head } = upgrade;
    if (refusal !== undefined) {
      const { why, status } = refusal;
      host.report(dial.jobUuid, dial.agentId, { type: "refused", why, status });
      if (status !== undefined) return refuseUpgrade(socket, status, refusal.says);
    }
    server.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off("error", ignoreFault);
      open.add(webSocket);
      webSocket.peers = open;
      if (refusal !== undefined) return closeRefused(webSocket, refusal.why, refusal.says, host);
      const tunnel = admission.job.openTunnel(dial.agentId);
      tunnel.attach(new Link(webSocket, socket as Socket, tunnel, host.clock));
    });
  };
  return {
    receive(request, socket, head) {
      socket.on("error", ignoreFault);
      const dial = parseDial(request.url, request.headers.authorization);
      const upgrade = { request, socket, head };
      if (findOwner === undefined || !isLogin(dial.token)) return answer(dial, upgrade);
      findOwner(dial.token).then(
        (owner) => answer(dial, upgrade, owner),
        (fault) => {
          host.report("", "", { type: "store_fault", why: describeFault(fault) });
          host.report(dial.jobUuid, dial.agentId, { type: "refused", why: "lookup_failed", status: 500 });
          refuseUpgrade(socket, 500, "the login could not be looked up: dial again");
        },
      );
    },
    leave() {
      isLeaving = true;
    },
    get size() {
      return open.size;
    },
    close() {
      for (const webSocket of open) webSocket.terminate();
      server.close();
    },
  };
}

/** Whether a token looks like a JWT: those of jobs have no dots. */
function isLogin(token: string): boolean {
  return token.split(".").length === 3;
}

function closeRefused(webSocket: WebSocket, why: ClosedReason, says: string, { flags }: JobHost) {
  if (flags.closeCodes === "silent") webSocket.close();
  else webSocket.close(closeCodes[why], makeCloseReason(says));
}

/** A socket that breaks off before it has a tunnel is nobody's loss. */
function ignoreFault() {
  return undefined;
}
