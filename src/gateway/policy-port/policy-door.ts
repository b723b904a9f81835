import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { MAX_MESSAGE_BYTES } from "../../wire/message.ts";
import type { CaseScore, ScoreOutcome } from "../api/api-host.ts";
import type { PolicyDialect } from "../config/gateway-config.ts";
import { formatAddress } from "../format-address.ts";
import { refuseUpgrade } from "../refuse-upgrade.ts";
import { type Admission, type AdmissionHost, admitSimulator } from "./admit-simulator.ts";
import { policyCloseCodes } from "./close-codes.ts";
import type { PolicyDoorEvent } from "./door-event.ts";
import { keepWatch } from "./keep-watch.ts";
import { isNearPeer } from "./near-peer.ts";
import { parsePolicyRequest } from "./policy-request.ts";
import { type PolicyTimers, SimulatorConnection } from "./simulator-connection.ts";
import { type FloorHost, SimulatorFloor } from "./simulator-floor.ts";

/** What the doors need of the gateway. */
export interface PolicyDoorHost extends AdmissionHost, FloorHost {
  /** Default: pings each 20 s, and gone after 60 s of silence. */
  readonly timers?: Partial<PolicyTimers>;
  readonly onEvent?: (event: PolicyDoorEvent) => void;
  /**
   * What the gateway behind the door could not do, as to read its database: a simulator is told only that it may dial
   * again.
   */
  readonly onFault?: (fault: unknown) => void;
}

/** Where simulators from outside dial. */
export interface PolicyDoor {
  /** Takes an upgrade of an HTTP server: of the listener of this dialect, or of its path on the main one. */
  receive(dialect: PolicyDialect, request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Takes the score of a case that is played here; `over` where the door knows nothing of it any more. */
  score(caseId: number, score: CaseScore): ScoreOutcome;
  /** From now on only a simulator that goes on with a case it had begun is let in. */
  leave(): void;
  /** Ends every case and connection, with 1001; resolves when the sockets are gone, after 5 s at most. */
  close(): Promise<void>;
}

/** The simulator's own leg on the platform pings as often, and waits as long (PROTOCOL 1.6). */
const policyTimers: PolicyTimers = { pingMs: 20_000, silenceMs: 60_000 };

const STOPPING: Admission = { refusal: { status: 503, says: "the gateway is stopping" } };
const FAULTY: Admission = {
  refusal: { status: 503, says: "the gateway cannot look this up now: dial again later" },
};

const webSocketOptions = {
  noServer: true,
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
  /** How long a socket may take to answer our close before it is destroyed, in milliseconds. */
  closeTimeout: 5_000,
};

/** Makes the doors of both dialects. Whatever comes through is a seat, until it is a case. */
export function makePolicyDoor(host: PolicyDoorHost): PolicyDoor {
  const server = new WebSocketServer(webSocketOptions);
  const timers = { ...policyTimers, ...host.timers };
  const floor = new SimulatorFloor(host, timers);
  const onFault = (fault: unknown) => host.onFault?.(fault);
  const stopWatch = keepWatch(host.clock, Math.min(timers.pingMs, timers.silenceMs), {
    look: (elapsedMs) => floor.sweep(elapsedMs),
    onFault,
  });
  let state: "open" | "leaving" | "closed" = "open";

  const decide = (dialect: PolicyDialect, request: IncomingMessage): Admission => {
    if (state === "closed") return STOPPING;
    const parsed = parsePolicyRequest(dialect, request.url, request.headers.authorization);
    if ("refusal" in parsed) return parsed;
    const admission = admitSimulator(parsed.request, isNearPeer(request), host, floor);
    const isNew = admission.refusal === undefined && admission.run === undefined;
    return state === "leaving" && isNew ? STOPPING : admission;
  };

  /** Thrown out of an event, a fault of the database would end the whole process. */
  const decideOrRefuse = (dialect: PolicyDialect, request: IncomingMessage): Admission => {
    try {
      return decide(dialect, request);
    } catch (fault) {
      onFault(fault);
      return FAULTY;
    }
  };

  return {
    receive(dialect, request, socket, head) {
      socket.on("error", ignoreFault);
      const peer = findPeer(request.socket);
      const admission = decideOrRefuse(dialect, request);
      if (admission.refusal !== undefined) {
        host.onEvent?.({ type: "simulator_refused", dialect, peer, ...admission.refusal });
        return refuseUpgrade(socket, admission.refusal.status, admission.refusal.says);
      }
      const { board, caseId, run } = admission;
      server.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off("error", ignoreFault);
        const told = { dialect, peer, board };
        host.onEvent?.({ type: "simulator_connected", ...told, caseId, resumed: run !== undefined });
        const connection = new SimulatorConnection({
          ...{ webSocket, socket: socket as Socket, dialect },
          onEnd: (end) => {
            host.onEvent?.({ type: "simulator_gone", ...told, ...end });
            floor.leave(connection);
          },
        });
        try {
          floor.enter(connection, board, caseId, run);
        } catch (fault) {
          onFault(fault);
          connection.close(policyCloseCodes.broken_off, "the gateway met a fault of its own: dial again");
        }
      });
    },
    score: (caseId, score) => floor.score(caseId, score),
    leave() {
      if (state === "open") state = "leaving";
    },
    async close() {
      state = "closed";
      stopWatch();
      floor.stop();
      await Promise.all(Array.from(server.clients, waitForClose));
      server.close();
    },
  };
}

/** `203.0.113.7:50432`; empty where the socket is gone already. */
function findPeer({ remoteAddress, remotePort = 0 }: Socket): string {
  return remoteAddress === undefined ? "" : formatAddress(remoteAddress, remotePort);
}

function waitForClose(webSocket: WebSocket): Promise<void> {
  return new Promise((resolve) => webSocket.once("close", () => resolve()));
}

/** A socket that breaks off before it is let in is nobody's loss. */
function ignoreFault() {
  return undefined;
}
