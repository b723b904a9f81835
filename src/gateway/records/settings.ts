import { randomBytes } from "node:crypto";
import type { Store } from "../../store/store.ts";

/** The key that signs logins and links; made with the first gateway on this data folder, the same ever after. */
export function loadSigningKey(records: Store): Buffer {
  records.change(
    "INSERT INTO settings VALUES ('signing_key', ?) ON CONFLICT DO NOTHING",
    randomBytes(32).toString("hex"),
  );
  return Buffer.from(readSetting(records, "signing_key") as string, "hex");
}

export function readSetting(records: Store, key: string): string | undefined {
  return records.find("SELECT value FROM settings WHERE key = ?", key)?.["value"] as string | undefined;
}

export function writeSetting(records: Store, key: string, value: string): void {
  records.change(
    "INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    key,
    value,
  );
}
