import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { SOCKET_NAME_BYTES } from "./ssh-arguments.ts";

/** What a socket's path may take: 104 bytes on macOS, with a slash and its end; ssh adds 17 while it makes one. */
const MOST_BYTES = 104 - 2 - 17 - SOCKET_NAME_BYTES;
const SUB_NAME_BYTES = 9;

/**
 * The folder of our shared connections: private, and short enough for a socket. Each `$SORTIE_HOME` has its own, in
 * `$XDG_RUNTIME_DIR/sortie` or else `/tmp/sortie-UID`. Whoever can reach a socket in it is logged in on the host, so
 * one that others could have made or can enter is not used.
 * @throws ssh_folder_unfit
 */
export function makeSocketFolder(
  env: Readonly<Record<string, string | undefined>>,
  sortieHome: string,
  sharedFolder = "/tmp",
): string {
  const userId = process.getuid?.() ?? 0;
  const parent = findRuntimeFolder(env, userId) ?? join(sharedFolder, `sortie-${userId}`);
  const folder = join(parent, createHash("sha256").update(sortieHome).digest("hex").slice(0, 8));
  for (const path of [parent, folder]) makePrivateFolder(path, userId);
  return folder;
}

/** null: there is none of ours, or its name does not fit into a socket's path or into ssh's own configuration language. */
function findRuntimeFolder(env: Readonly<Record<string, string | undefined>>, userId: number): string | null {
  const folder = env["XDG_RUNTIME_DIR"];
  if (!folder || !/^\/[\w./@+,:=-]*$/.test(folder)) return null;
  const path = join(folder, "sortie");
  if (path.length + SUB_NAME_BYTES > MOST_BYTES) return null;
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() && found.uid === userId ? path : null;
}

function makePrivateFolder(path: string, userId: number) {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "EEXIST")
      throw new SortieError("ssh_folder_unfit", { path, reason: describeFault(fault) }, fault);
  }
  const found = lstatSync(path);
  if (!found.isDirectory()) throw new SortieError("ssh_folder_unfit", { path, reason: "it is not a folder" });
  if (found.uid !== userId)
    throw new SortieError("ssh_folder_unfit", { path, reason: "it belongs to another user" });
  if (found.mode & 0o077) throw new SortieError("ssh_folder_unfit", { path, reason: "others may enter it" });
}
