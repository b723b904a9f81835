import { randomUUID } from "node:crypto";
import { SortieError } from "../../base/error.ts";
import type { Row, Store } from "../../store/store.ts";

export interface User {
  readonly id: number;
  /** What others see instead of the number. */
  readonly uid: string;
  /** Trimmed, in lower case. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  /** Counts changes of the password: a login from before one is over. */
  readonly passwordAge: number;
  /** Jobs a day; null: as the configuration says. */
  readonly quota: number | null;
  /** Agents at once; null: as the configuration says. */
  readonly parallelism: number | null;
}

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly quota?: number;
  readonly parallelism?: number;
}

/** @throws SortieError `user_exists` */
export function insertUser(records: Store, user: NewUser, now: Date): User {
  const email = normalizeEmail(user.email);
  return records.together(() => {
    if (findUserByEmail(records, email) !== undefined) throw new SortieError("user_exists", { email });
    records.change(
      `INSERT INTO users (uid, email, name, password_hash, quota, parallelism, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      randomUUID(),
      email,
      user.name,
      user.passwordHash,
      user.quota ?? null,
      user.parallelism ?? null,
      now.toISOString(),
    );
    return findUserByEmail(records, email) as User;
  });
}

/** Nobody who was deleted. */
export function findUser(records: Store, id: number): User | undefined {
  return readUser(records.find("SELECT * FROM users WHERE id = ? AND deleted_at IS NULL", id));
}

export function findUserByEmail(records: Store, email: string): User | undefined {
  const row = records.find(
    "SELECT * FROM users WHERE email = ? AND deleted_at IS NULL",
    normalizeEmail(email),
  );
  return readUser(row);
}

/**
 * The numbers of who has an address, deleted users included where nobody else has it, or `former`; empty: nobody ever had.
 */
export function listUserIds(records: Store, email: string, options: { readonly former: boolean }): number[] {
  const rows = records.list(
    "SELECT id, deleted_at FROM users WHERE email = ? ORDER BY id",
    normalizeEmail(email),
  );
  const now = rows.filter((row) => row["deleted_at"] === null);
  return (options.former || now.length === 0 ? rows : now).map((row) => row["id"] as number);
}

export function listUsers(records: Store): User[] {
  return records
    .list("SELECT * FROM users WHERE deleted_at IS NULL ORDER BY id")
    .map((row) => readUser(row) as User);
}

export function changePassword(records: Store, id: number, passwordHash: string): void {
  records.change(
    "UPDATE users SET password_hash = ?, password_age = password_age + 1 WHERE id = ?",
    passwordHash,
    id,
  );
}

/** null: as the configuration says. */
export function changeLimit(
  records: Store,
  id: number,
  limit: "quota" | "parallelism",
  value: number | null,
): void {
  records.change(`UPDATE users SET ${limit} = ? WHERE id = ?`, value, id);
}

/** The row stays, for the jobs that name it; nobody can log in as this user any more. */
export function deleteUser(records: Store, id: number, now: Date): void {
  records.change("UPDATE users SET deleted_at = ? WHERE id = ?", now.toISOString(), id);
}

function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

function readUser(row: Row | undefined): User | undefined {
  if (row === undefined) return undefined;
  return {
    id: row["id"] as number,
    uid: row["uid"] as string,
    email: row["email"] as string,
    name: row["name"] as string,
    passwordHash: row["password_hash"] as string,
    passwordAge: row["password_age"] as number,
    quota: row["quota"] as number | null,
    parallelism: row["parallelism"] as number | null,
  };
}
