import { boardChanges } from "./board-changes.ts";

/** The gateway's tables, as migrations: entry N brings a database from version N to N + 1. Only added to after a release. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    password_age INTEGER NOT NULL DEFAULT 0,
    quota INTEGER,
    parallelism INTEGER,
    created_at TEXT NOT NULL,
    deleted_at TEXT
  ) STRICT;
  CREATE UNIQUE INDEX users_email ON users (email) WHERE deleted_at IS NULL;

  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    board TEXT NOT NULL,
    model_name TEXT NOT NULL,
    description TEXT,
    paper_link TEXT,
    parallelism INTEGER NOT NULL,
    token_hash BLOB NOT NULL,
    status INTEGER NOT NULL DEFAULT 0,
    end_reason TEXT,
    quota_day TEXT NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    ended_at TEXT,
    score REAL
  ) STRICT;
  CREATE INDEX jobs_user ON jobs (user_id, id);
  CREATE INDEX jobs_quota ON jobs (user_id, quota_day);
  CREATE INDEX jobs_live ON jobs (id) WHERE status IN (0, 1, 5);
  CREATE INDEX jobs_board ON jobs (board, user_id, score DESC, id) WHERE status = 2 AND score IS NOT NULL;

  CREATE TABLE cases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job_id INTEGER NOT NULL REFERENCES jobs (id),
    task TEXT NOT NULL,
    task_id INTEGER NOT NULL,
    case_index INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    attempts INTEGER NOT NULL DEFAULT 0,
    forgiven INTEGER NOT NULL DEFAULT 0,
    score REAL,
    steps INTEGER,
    ended_at TEXT
  ) STRICT;
  CREATE INDEX cases_job ON cases (job_id, id);
  CREATE INDEX cases_waiting ON cases (id) WHERE state = 'waiting';

  CREATE TABLE attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    case_id INTEGER NOT NULL REFERENCES cases (id),
    job_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    session_id TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    failure_reason INTEGER NOT NULL DEFAULT 0,
    by_simulator INTEGER NOT NULL DEFAULT 0,
    detail TEXT,
    recording TEXT,
    replies INTEGER NOT NULL DEFAULT 0,
    reply_bytes INTEGER NOT NULL DEFAULT 0,
    resumable INTEGER NOT NULL DEFAULT 1,
    has_left INTEGER NOT NULL DEFAULT 0,
    told_score REAL,
    told_steps INTEGER,
    told_detail TEXT
  ) STRICT;
  CREATE UNIQUE INDEX attempts_owner ON attempts (case_id) WHERE ended_at IS NULL;
  CREATE INDEX attempts_job ON attempts (job_id, id);

  CREATE TABLE replies (
    session_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    payload BLOB NOT NULL,
    PRIMARY KEY (session_id, number)
  ) STRICT;

  CREATE TABLE agents (
    job_id INTEGER NOT NULL,
    agent_id TEXT NOT NULL,
    state TEXT NOT NULL,
    connected INTEGER NOT NULL,
    session_id TEXT,
    peer TEXT,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (job_id, agent_id)
  ) STRICT;

  CREATE TABLE simulators (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    board TEXT NOT NULL,
    key_hash BLOB NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    revoked_at TEXT
  ) STRICT;

  CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subject INTEGER NOT NULL,
    at TEXT NOT NULL,
    done_at TEXT,
    outcome TEXT
  ) STRICT;
  CREATE INDEX orders_open ON orders (id) WHERE done_at IS NULL;
  `,
  boardChanges,
];
