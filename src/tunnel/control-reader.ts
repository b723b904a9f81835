import { describeIgnored, isSentBy, parseControl } from "../wire/control.ts";
import { type AgentJournal, countOne } from "./agent-journal.ts";
import type { ResumeCount } from "./session.ts";

/** What an agent does at the messages of its gateway. */
export interface ControlActions {
  /** The gateway goes on with this agent; comes before what it wants. That it waits in line, or is done, shows nothing. */
  goOn(): void;
  warmUp(): void;
  drain(reason: string | undefined): void;
  openSession(sessionId: string): void;
  closeSession(sessionId: string, reason: string | undefined): void;
  resumeSession(sessionId: string, count: ResumeCount): void;
}

/** Does what a text frame of the gateway says. One that says nothing to an agent is counted, and told once. */
export function readControl(text: string, journal: AgentJournal, actions: ControlActions) {
  const message = parseControl(text);
  if (message.ignored !== undefined)
    return ignore(message.type ?? message.ignored, describeIgnored(message), journal);
  const { type, repeated = [] } = message;
  if (!isSentBy("gateway", type))
    return ignore(type, `a "${type}" from the gateway: only agents send it`, journal);
  for (const key of repeated)
    journal.logOnce(
      `repeated ${key}`,
      "warn",
      `"${key}" stands twice in a control message "${type}": the last counts`,
    );
  if (type !== "queued" && type !== "session_close") actions.goOn();
  switch (message.type) {
    case "warmup":
      return actions.warmUp();
    case "queued":
      return tellQueued(message.reason, journal);
    case "session_open":
      return actions.openSession(message.sessionId);
    case "session_close":
      return actions.closeSession(message.sessionId, message.reason);
    case "resume":
      return actions.resumeSession(message.sessionId, message);
    case "drain":
      return actions.drain(message.reason);
  }
}

/** Nothing is to be done: the agent stays connected and loaded until its turn comes. */
function tellQueued(reason = "", journal: AgentJournal) {
  const why = reason === "no_gpu_available" ? "no GPU is free for a simulator" : reason;
  journal.log("info", `QUEUED at the gateway${why && ` (${why})`}: waiting for a case`);
  journal.record("notice", { detail: `queued${reason && `: ${reason}`}` });
}

function ignore(key: string, says: string, journal: AgentJournal) {
  countOne(journal.ignoredControls, journal.secrets.clean(key));
  journal.logOnce(`ignored ${key}`, "warn", `ignored ${says}`);
}
