import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";
import type { SshHost } from "../../process/ssh/ssh-host.ts";
import type { Desk } from "../desk.ts";
import { findOwnSsh } from "../remote/find-own-ssh.ts";
import type { Vast } from "./open-account.ts";

const AGENT_MS = 5000;

/**
 * Whether the machines that the account rents will let this person in: one of the account's keys is theirs. Asked before anything
 * is paid. @throws rent_key_absent, and what asking the vendor throws
 */
export async function checkSshKey(
  desk: Pick<Desk, "env" | "runner">,
  vast: Pick<Vast, "listSshKeys">,
  written: Pick<SshHost, "options"> | null,
): Promise<void> {
  const account = (await vast.listSshKeys()).map(readKey);
  const { keys, places } = await listOwnKeys(desk, written?.options ?? []);
  if (keys.some((key) => account.includes(key))) return;
  const looked = `${account.length} on the account, ${keys.length} here (${places.join(", ")})`;
  throw new SortieError("rent_key_absent", { looked });
}

async function listOwnKeys(
  { env, runner }: Pick<Desk, "env" | "runner">,
  options: readonly string[],
): Promise<{ keys: string[]; places: string[] }> {
  const folder = join(findOwnSsh(env).accountHome, ".ssh");
  const named = options.flatMap((option, at) => (option === "-i" ? [`${options[at + 1]}.pub`] : []));
  const files = [...named, ...listPublicKeys(folder)];
  const { exitCode, stdout } = await runner.run(["ssh-add", "-L"], { env, timeoutMs: AGENT_MS });
  const agent = exitCode === 0 ? stdout.split("\n") : [];
  const keys = [...files.map(readFile), ...agent].map(readKey).filter((key) => key !== "");
  return { keys, places: [...named, `${folder}/*.pub`, "ssh-agent"] };
}

function listPublicKeys(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".pub"))
      .map((name) => join(folder, name));
  } catch {
    return []; // no such folder, or not ours to read
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it was named, and is not there: ssh says so itself
  }
}

/** Kind and key, without the comment that a person wrote behind. */
function readKey(line: string): string {
  const [kind, key] = line.trim().split(/\s+/);
  return kind && key ? `${kind} ${key}` : "";
}
