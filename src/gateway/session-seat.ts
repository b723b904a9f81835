import { randomUUID } from "node:crypto";
import { Session, type SessionLine, type SessionPast } from "./session.ts";
import type { SessionLoss } from "./session-loss.ts";

/** Where a tunnel has its sessions, one after another, and the id of the last one that ended. */
export class SessionSeat {
  #session: Session | undefined;
  #endedId: string | undefined;

  get session(): Session | undefined {
    return this.#session;
  }

  /** The agent may send the `session_close` of this one back, or has not heard of its end yet. */
  get endedId(): string | undefined {
    return this.#endedId;
  }

  /** Begins a session under a new id, or takes one from before a restart up. The one before it has ended. */
  open(line: SessionLine, isStrict: boolean, past?: SessionPast): Session {
    this.#session = new Session(past?.sessionId ?? randomUUID(), line, isStrict, past);
    return this.#session;
  }

  /** Ends a session that was played. False where it is not the open one: it was lost. */
  close(session: Session): boolean {
    if (this.#session !== session) return false;
    this.#session = undefined;
    this.#endedId = session.sessionId;
    return true;
  }

  /** Ends the open session, if one is, before its simulator is done. */
  lose(makeLoss: (sessionId: string) => SessionLoss): void {
    const session = this.#session;
    if (session === undefined) return;
    this.close(session);
    session.end(makeLoss(session.sessionId));
  }
}
