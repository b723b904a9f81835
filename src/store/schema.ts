/**
 * The tables, as a list of migrations: entry N brings a database from version N to N + 1. Entries are never
 * edited after a release, only added. A run's or plan's body is JSON whose meaning the store does not know.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE plans (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    run_id TEXT,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    live INTEGER NOT NULL,
    home INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    summary TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX runs_live_name ON runs (name) WHERE live = 1;
  CREATE INDEX runs_live ON runs (created_at) WHERE live = 1;
  CREATE INDEX runs_away ON runs (created_at) WHERE live = 0 AND home = 0;
  CREATE INDEX runs_created ON runs (created_at);
  CREATE INDEX runs_name ON runs (name);

  CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_run ON events (run_id, id);
  `,
  `
  CREATE TABLE fleets (
    id TEXT PRIMARY KEY,
    live INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX fleets_live ON fleets (created_at) WHERE live = 1;

  CREATE TABLE challenge_jobs (
    uuid TEXT PRIMARY KEY,
    base_url TEXT NOT NULL,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE notices (
    id INTEGER PRIMARY KEY,
    channel TEXT NOT NULL,
    key TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    added_at_ms INTEGER NOT NULL,
    due_at_ms INTEGER NOT NULL,
    claimed_at_ms INTEGER,
    reason TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX notices_key ON notices (channel, key);
  CREATE INDEX notices_subject ON notices (subject);
  CREATE INDEX notices_open ON notices (channel, id) WHERE state IN ('waiting', 'claimed');

  CREATE TABLE notice_channels (
    channel TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE instances (
    run_id TEXT PRIMARY KEY,
    open INTEGER NOT NULL,
    since TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX instances_open ON instances (since) WHERE open = 1;
  `,
];
