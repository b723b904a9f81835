import { homedir, userInfo } from "node:os";
import { findSshConfig } from "../../config/ssh-files.ts";
import type { Environment } from "../desk.ts";

/** Where ssh looks for what is the person's own, and the configuration that it is to read in place of that. */
export function findOwnSsh(env: Environment): { accountHome: string; configFile: string | null } {
  const accountHome = findAccountHome();
  return { accountHome, configFile: findSshConfig(env, accountHome) };
}

/** As ssh finds it, whatever `$HOME` says. */
function findAccountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homedir(); // a number without a name, as in many containers: ssh refuses to run there at all
  }
}
