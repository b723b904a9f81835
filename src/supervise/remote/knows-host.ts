import type { SshAddress } from "../../config/ssh-address.ts";
import { isHostKnown } from "../../config/ssh-files.ts";
import type { Target } from "../../config/target.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { askSshSettings } from "../../process/ssh/ask-ssh-settings.ts";
import type { Desk } from "../desk.ts";
import { findOwnSsh } from "./find-own-ssh.ts";

/** Whether the host of a target's section needs no trust: there is none, its vendor knows it, or the person does. */
export async function needsNoTrust(
  desk: Pick<Desk, "env">,
  { ssh, kind }: Pick<Target, "ssh" | "kind">,
): Promise<boolean> {
  return ssh === undefined || kind === "vast" || knowsHost(desk, ssh);
}

/** Whether the person knows every host that a connection passes: by their ssh configuration, or by a host key on record. */
async function knowsHost({ env }: Pick<Desk, "env">, address: SshAddress): Promise<boolean> {
  const { accountHome, configFile } = findOwnSsh(env);
  // Most are named in the configuration: then ssh need not be asked where it keeps its keys.
  if (isHostKnown(address, { configFile, accountHome, sshSettings: "" })) return true;
  const sshSettings = await askSshSettings(makeLocalRunner(), address, { env, configFile });
  return isHostKnown(address, { configFile, accountHome, sshSettings });
}
