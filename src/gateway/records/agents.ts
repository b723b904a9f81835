import type { Row, Store } from "../../store/store.ts";

/** An agent as the gateway saw it last. */
export interface AgentRow {
  readonly jobId: number;
  readonly agentId: string;
  readonly state: "queued" | "warmup" | "running" | "draining";
  readonly isConnected: boolean;
  readonly sessionId: string | null;
  readonly peer: string | null;
  readonly changedAt: string;
}

export function keepAgent(records: Store, agent: AgentRow): void {
  records.change(
    "INSERT OR REPLACE INTO agents VALUES (?, ?, ?, ?, ?, ?, ?)",
    agent.jobId,
    agent.agentId,
    agent.state,
    Number(agent.isConnected),
    agent.sessionId,
    agent.peer,
    agent.changedAt,
  );
}

export function forgetAgent(records: Store, jobId: number, agentId: string): void {
  records.change("DELETE FROM agents WHERE job_id = ? AND agent_id = ?", jobId, agentId);
}

/** Whoever was there before this gateway is not there any more. */
export function forgetAllAgents(records: Store): void {
  records.change("DELETE FROM agents");
}

export function listAgents(records: Store): AgentRow[] {
  return records.list("SELECT * FROM agents ORDER BY job_id, agent_id").map(readAgent);
}

function readAgent(row: Row): AgentRow {
  return {
    jobId: row["job_id"] as number,
    agentId: row["agent_id"] as string,
    state: row["state"] as AgentRow["state"],
    isConnected: row["connected"] === 1,
    sessionId: row["session_id"] as string | null,
    peer: row["peer"] as string | null,
    changedAt: row["changed_at"] as string,
  };
}
