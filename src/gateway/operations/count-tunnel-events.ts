import type { Registry } from "prom-client";
import { findCloseWord } from "../../wire/close-codes.ts";
import type { GatewayEvent } from "../gateway-event.ts";
import { addCounter, showCounter, showGauge } from "./register-metrics.ts";

/**
 * Counts what happens on the tunnels and at the doors of simulators. Pings and frames are added up in plain numbers, which
 * Prometheus' counters read when they are asked: ten thousand agents ping.
 */
export function countTunnelEvents(registry: Registry): (event: GatewayEvent) => void {
  const sums = makeSums();
  showSums(registry, sums);
  const dials = addCounter(
    registry,
    "sortie_dials_total",
    "Dials that were admitted; resumed: the agent came back inside its window.",
    "resumed",
  );
  const refusals = addCounter(registry, "sortie_dials_refused_total", "Dials that were refused.", "why");
  const ends = addCounter(
    registry,
    "sortie_links_ended_total",
    "Links that ended, by the word of their close code; awaited: a session or a drain waits for the agent.",
    "word",
    "awaited",
  );
  const oddities = addCounter(
    registry,
    "sortie_oddities_total",
    "What an agent sent and should not have, and what went wrong around it.",
    "kind",
  );
  const refusedSimulators = addCounter(
    registry,
    "sortie_simulators_refused_total",
    "Simulators from outside that were refused, by the status of the answer.",
    "status",
  );
  const faults = addCounter(
    registry,
    "sortie_faults_total",
    "Faults of the gateway itself and of what it stands on.",
    "kind",
  );

  return (event) => {
    switch (event.type) {
      case "agent_ping":
        sums.pings += 1;
        return;
      case "agent_pong":
        sums.pongs += 1;
        return;
      case "observation_sent":
        sums.framesSent += 1;
        sums.bytesSent += event.bytes;
        if (event.resent) sums.resent += 1;
        return;
      case "reply":
        sums.framesReceived += 1;
        sums.bytesReceived += event.payload.length;
        if (!event.asked) oddities.inc({ kind: "reply_unasked" });
        return;
      case "dialed":
        sums.links += 1;
        dials.inc({ resumed: String(event.resumed) });
        return;
      case "link_closed":
        sums.links -= 1;
        ends.inc({ word: findWord(event.code), awaited: String(event.windowOpen) });
        return;
      case "refused":
        refusals.inc({ why: event.why });
        return;
      case "window_expired":
        sums.windowsExpired += 1;
        return;
      case "reply_unknown_session":
        sums.bytesReceived += event.bytes;
        oddities.inc({ kind: event.type });
        return;
      case "malformed_frame":
      case "ignored_control":
      case "warm_up_failed":
        oddities.inc({ kind: event.type });
        return;
      case "simulator_connected":
        sums.simulators += 1;
        return;
      case "simulator_gone":
        sums.simulators -= 1;
        return;
      case "simulator_refused":
        refusedSimulators.inc({ status: String(event.status) });
        return;
      case "server_fault":
      case "store_fault":
      case "recording_fault":
      case "simulator_fault":
        faults.inc({ kind: event.type });
        return;
      default:
    }
  };
}

type Sums = ReturnType<typeof makeSums>;

function makeSums() {
  return {
    ...{ links: 0, simulators: 0, pings: 0, pongs: 0, resent: 0, windowsExpired: 0 },
    ...{ framesSent: 0, bytesSent: 0, framesReceived: 0, bytesReceived: 0 },
  };
}

function showSums(registry: Registry, sums: Sums) {
  showGauge(registry, "sortie_links", "Connections of agents that are open.", () => sums.links);
  showGauge(
    registry,
    "sortie_simulators",
    "Simulators from outside that are connected.",
    () => sums.simulators,
  );
  const show = (name: string, help: string, read: () => number) => showCounter(registry, name, help, read);
  show("sortie_frames_sent_total", "Observations sent to agents.", () => sums.framesSent);
  show("sortie_frames_resent_total", "Of these, sent again after a cut.", () => sums.resent);
  show("sortie_frames_received_total", "Replies of agents.", () => sums.framesReceived);
  show("sortie_payload_sent_bytes_total", "Bytes of observations sent.", () => sums.bytesSent);
  show("sortie_payload_received_bytes_total", "Bytes of replies received.", () => sums.bytesReceived);
  show("sortie_pings_received_total", "Pings of agents.", () => sums.pings);
  show("sortie_pongs_received_total", "Answers to the gateway's pings.", () => sums.pongs);
  show("sortie_windows_expired_total", "Agents that did not come back in time.", () => sums.windowsExpired);
}

/**
 * Codes that agents make up are one word: as labels they would have no end. 1005 and 1006 stand for a close without a code.
 */
function findWord(code: number): string {
  if (code === 1005) return "no_code";
  if (code === 1006) return "broken_off";
  return findCloseWord(code) ?? "other";
}
