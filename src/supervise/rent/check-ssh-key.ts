import { readFileSync } from "node:fs";
import { SortieError } from "../../base/error.ts";
import { askSshSettings } from "../../process/ssh/ask-ssh-settings.ts";
import type { SshHost } from "../../process/ssh/ssh-host.ts";
import type { Desk } from "../desk.ts";
import { findOwnSsh } from "../remote/find-own-ssh.ts";
import type { Vast } from "./open-account.ts";

const AGENT_MS = 5000;
/** Any host that no configuration names: which keys ssh offers to one is asked, and nobody is dialled. */
const NEW_HOST = { destination: "new-instance.invalid", user: "root", port: null };

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
  const { configFile, accountHome } = findOwnSsh(env);
  const settings = await askSshSettings(runner, NEW_HOST, { env, configFile });
  const named = options.flatMap((option, at) => (option === "-i" ? [options[at + 1] ?? ""] : []));
  const usual = [...settings.matchAll(/^identityfile (.+)$/gm)].map(([, path = ""]) => path);
  const files = [...named, ...usual].map((path) => `${path.replace(/^~(?=\/)/, accountHome)}.pub`);
  const { exitCode, stdout } = await runner.run(["ssh-add", "-L"], { env, timeoutMs: AGENT_MS });
  const agent = exitCode === 0 ? stdout.split("\n") : [];
  const keys = [...files.map(readFile), ...agent].map(readKey).filter((key) => key !== "");
  return { keys, places: [...files, "ssh-agent"] };
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // most of the usual ones are not there
  }
}

/** Kind and key, without the comment that a person wrote behind. */
function readKey(line: string): string {
  const [kind, key] = line.trim().split(/\s+/);
  return kind && key ? `${kind} ${key}` : "";
}
