import { makeUnreadable, needRow, readNumber, readText } from "../read-value.ts";
import type { Caller } from "./caller.ts";

/** Public keys, one line each; they are on every instance that the account rents. */
export async function listSshKeys(caller: Caller): Promise<string[]> {
  const call = "show ssh-keys";
  const reply: unknown = await caller.ask({ call, method: "GET", path: "/api/v0/ssh/" });
  const rows = Array.isArray(reply) ? reply : needRow(reply, `the reply to \`${call}\``)["ssh_keys"];
  if (!Array.isArray(rows)) throw makeUnreadable(`\`ssh_keys\` of the reply to \`${call}\` is no list`);
  return rows.flatMap((row) => {
    const { public_key: written, ssh_key: given, deleted_at: deleted } = needRow(row, "an SSH key");
    const line = readText(written) ?? readText(given);
    if (line === null) throw makeUnreadable("`public_key` of an SSH key is missing");
    return deleted === undefined || deleted === null ? [line] : [];
  });
}

/** Dollars that may still be spent. The reply holds the account's key, so that no text of it is ever shown. */
export async function loadCredit(caller: Caller): Promise<number | null> {
  const call = "show user";
  const reply = await caller.ask({ call, method: "GET", path: "/api/v0/users/current" });
  return readNumber(needRow(reply, `the reply to \`${call}\``)["credit"]);
}
