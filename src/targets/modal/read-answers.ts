import { isObject } from "../../base/shape.ts";

/** An app as `modal app list` shows it. */
export interface ModalApp {
  readonly id: string;
  /** The name that it was started with. */
  readonly name: string;
  readonly state: "running" | "stopping" | "stopped" | "unknown";
  /** In Modal's words: `ephemeral (detached)`. */
  readonly says: string;
  /** Containers; null: not said. */
  readonly tasks: number | null;
  readonly startedAt: Date | null;
  readonly stoppedAt: Date | null;
}

/** A file or folder of a volume; its path is one from the volume's top. */
export interface VolumeEntry {
  readonly path: string;
  readonly kind: string;
  readonly bytes: number | null;
}

/** The apps of `modal app list --json`; null: it is no such list. */
export function readApps(text: string): ModalApp[] | null {
  return readRows(text, (row) => {
    const { app_id: id, description, state } = row;
    if (typeof id !== "string" || typeof state !== "string") return null;
    return {
      ...{ id, name: typeof description === "string" ? description : "", says: state },
      state: judgeState(state),
      tasks: readCount(row["tasks"]),
      startedAt: readTime(row["created_at"]),
      stoppedAt: readTime(row["stopped_at"]),
    };
  });
}

/** The names of `modal secret list --json` or `modal volume list --json`; null: it is no such list. */
export function readNames(text: string): string[] | null {
  return readRows(text, ({ name }) => (typeof name === "string" ? name : null));
}

/** The entries of `modal volume ls --json`; null: it is no such list. */
export function readVolumeEntries(text: string): VolumeEntry[] | null {
  return readRows(text, ({ filename, type, size }) =>
    typeof filename === "string" && typeof type === "string"
      ? { path: filename, kind: type, bytes: readCount(size) }
      : null,
  );
}

/** The workspace of `modal token info`; null: it does not say. */
export function readWorkspace(text: string): string | null {
  return /^Workspace:\s*(\S+)/m.exec(text)?.[1] ?? null;
}

/** Older versions write the keys as the titles of a table (`App ID`), and some print a warning first. */
function readRows<Row>(text: string, read: (row: Record<string, unknown>) => Row | null): Row[] | null {
  const start = text.search(/^\s*\[/m);
  const rows = parseList(text.slice(Math.max(start, 0)));
  if (rows === null) return null;
  const found = rows.map((row) => (isObject(row) ? read(nameKeys(row)) : null));
  return found.includes(null) ? null : (found as Row[]);
}

function parseList(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null; // no JSON: the caller says so
  }
}

function nameKeys(row: Record<string, unknown>): Record<string, unknown> {
  const name = (key: string) => key.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [name(key), value]));
}

function judgeState(says: string): ModalApp["state"] {
  if (/^stopping/.test(says)) return "stopping";
  if (/^(stopped|disabled)/.test(says)) return "stopped";
  return /^(ephemeral|deployed|initializing|running)/.test(says) ? "running" : "unknown";
}

function readCount(value: unknown): number | null {
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === "number" ? count : null;
}

/** `2026-11-30 10:04:05+00:00`, as Modal writes times in JSON. */
function readTime(value: unknown): Date | null {
  const time = typeof value === "string" ? new Date(value.replace(" ", "T")) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}
