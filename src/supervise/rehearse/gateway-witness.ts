import type { GatewayEvent } from "../../gateway/gateway-event.ts";
import type { Activity, Close, Refusal, TunnelStory } from "./evidence.ts";

/** What is put down of one agent id while it is watched. */
interface Notes {
  readonly agentId: string;
  readonly dialedAtMs: number[];
  readonly refusals: Refusal[];
  readonly closes: Close[];
  warmedAtMs?: number;
  readyAtMs?: number;
  earlyReadies: number;
  drain?: { atMs: number; wasInFlight: boolean };
  longestSilenceMs: number;
  textReplies: number;
  strayReplies: number;
  surplusReplies: number;
  surplusAfterCut: number;
  malformedFrames: number;
  emptyReplies: number;
  probeReplies: number;
  activity: Activity;
  /** The link of its session was cut at least once. */
  wasCut: boolean;
  /** There while a link is up. */
  heardAtMs?: number;
}

/** Watches the events of a gateway and keeps what a rehearsal judges by. */
export interface Witness {
  /** Milliseconds since the start. */
  readonly nowMs: () => number;
  readonly see: (event: GatewayEvent) => void;
  /** Says what an agent is given to do, so that what happens next is put down to it. */
  readonly mark: (agentId: string, activity: Activity) => void;
  readonly markCut: (agentId: string, wasCut: boolean) => void;
  /** From now on every end of a link is the rehearsal's own doing. */
  readonly markStop: () => void;
  readonly findAgent: (sessionId: string) => string | undefined;
  readonly look: (agentId: string) => Glance;
  readonly tell: () => TunnelStory[];
}

/** How one agent stands now. */
export interface Glance {
  readonly isUp: boolean;
  readonly dials: number;
  readonly closes: number;
  readonly emptyReplies: number;
  readonly probeReplies: number;
  readonly isReady: boolean;
}

/** Times are counted from this call on. */
export function makeWitness(readClock: () => number): Witness {
  const startedMs = readClock();
  const agents = new Map<string, Notes>();
  const sessions = new Map<string, string>();
  let isStopping = false;
  const findNotes = (agentId: string) => {
    const notes = agents.get(agentId) ?? makeNotes(agentId);
    agents.set(agentId, notes);
    return notes;
  };
  return {
    nowMs: () => readClock() - startedMs,
    see: (event) => {
      if (event.type === "server_fault") return;
      const notes = findNotes(event.agentId);
      if (event.type === "session_opened") {
        sessions.set(event.sessionId, event.agentId);
        notes.wasCut = false;
      }
      if (event.type === "reply_unknown_session") {
        putDownStray(notes, sessions.get(event.sessionId) === event.agentId);
      } else putDown(notes, event, event.monotonicMs - startedMs, isStopping);
    },
    mark: (agentId, activity) => {
      findNotes(agentId).activity = activity;
    },
    markCut: (agentId, wasCut) => {
      findNotes(agentId).wasCut = wasCut;
    },
    markStop: () => {
      isStopping = true;
    },
    findAgent: (sessionId) => sessions.get(sessionId),
    look: (agentId) => glanceAt(findNotes(agentId)),
    tell: () => Array.from(agents.values(), tellStory),
  };
}

function makeNotes(agentId: string): Notes {
  return {
    ...{ agentId, dialedAtMs: [], refusals: [], closes: [], earlyReadies: 0, longestSilenceMs: 0 },
    ...{ textReplies: 0, strayReplies: 0, surplusReplies: 0, surplusAfterCut: 0, malformedFrames: 0 },
    ...{ emptyReplies: 0, probeReplies: 0, activity: "warm_up", wasCut: false },
  };
}

function putDown(notes: Notes, event: GatewayEvent, atMs: number, isStopping: boolean) {
  switch (event.type) {
    case "dialed":
      notes.dialedAtMs.push(atMs);
      notes.heardAtMs = atMs;
      return;
    case "refused":
      notes.refusals.push({ atMs, why: event.why });
      return;
    case "warmup_sent":
      notes.warmedAtMs ??= atMs;
      return;
    case "ready":
      notes.readyAtMs ??= atMs;
      if (notes.activity === "warm_up") notes.activity = "idle";
      return;
    case "drain_sent":
      if (isStopping) return;
      notes.drain ??= { atMs, wasInFlight: notes.activity === "drain" };
      notes.activity = "drain";
      return;
    case "agent_pong":
      hearPong(notes, atMs);
      return;
    case "link_closed":
      hearPong(notes, atMs);
      notes.heardAtMs = undefined;
      notes.closes.push({ atMs, code: event.code, during: isStopping ? "stop" : notes.activity });
      return;
    default:
      putDownReply(notes, event);
  }
}

/** Silence counts from dial or pong to pong, and to the end of the link. */
function hearPong(notes: Notes, atMs: number) {
  if (notes.heardAtMs === undefined) return;
  notes.longestSilenceMs = Math.max(notes.longestSilenceMs, atMs - notes.heardAtMs);
  notes.heardAtMs = atMs;
}

function putDownReply(notes: Notes, event: GatewayEvent) {
  switch (event.type) {
    case "reply":
      if (event.asked) return;
      if (notes.activity === "empty_frame") {
        notes.probeReplies += 1;
        return;
      }
      putDownSurplus(notes);
      return;
    case "empty_reply":
      notes.emptyReplies += 1;
      return;
    case "malformed_frame":
      notes.malformedFrames += 1;
      return;
    case "ignored_control":
      if (notes.readyAtMs === undefined) notes.earlyReadies += 1;
      else if (notes.activity === "observation") notes.textReplies += 1;
  }
}

/** Under the id of a session that has ended it is one answer too many: its double came just before. */
function putDownStray(notes: Notes, isOfEndedSession: boolean) {
  if (isOfEndedSession) putDownSurplus(notes);
  else notes.strayReplies += 1;
}

function putDownSurplus(notes: Notes) {
  notes.surplusReplies += 1;
  if (notes.wasCut) notes.surplusAfterCut += 1;
}

function glanceAt(notes: Notes): Glance {
  return {
    isUp: notes.heardAtMs !== undefined,
    dials: notes.dialedAtMs.length,
    closes: notes.closes.length,
    emptyReplies: notes.emptyReplies,
    probeReplies: notes.probeReplies,
    isReady: notes.readyAtMs !== undefined,
  };
}

function tellStory(notes: Notes): TunnelStory {
  const { agentId, dialedAtMs, refusals, closes, warmedAtMs, readyAtMs, drain, longestSilenceMs } = notes;
  const { earlyReadies, textReplies, strayReplies, surplusAfterCut, malformedFrames } = notes;
  // Who answered an empty frame as it should be did not answer it with data too: that was another one's double.
  const surplusReplies = notes.surplusReplies + (notes.emptyReplies > 0 ? notes.probeReplies : 0);
  return {
    ...{ agentId, dialedAtMs, refusals, closes, warmedAtMs, readyAtMs, drain, longestSilenceMs },
    ...{ earlyReadies, textReplies, strayReplies, surplusReplies, surplusAfterCut, malformedFrames },
  };
}
