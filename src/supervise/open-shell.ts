import { SortieError } from "../base/error.ts";
import { encodeScript } from "../process/ssh/encode-command.ts";
import type { SshHost } from "../process/ssh/ssh-host.ts";
import { makeEnterScript } from "../runs/enter-script.ts";
import { withoutMarks } from "../runs/run-marks.ts";
import { findRun } from "../runs/run-store.ts";
import { type ChosenTarget, chooseTargetFor, type TargetPlace } from "./choose-target.ts";
import type { Desk, Environment } from "./desk.ts";
import { findRemoteCodeDir } from "./find-run-place.ts";
import { describeHost } from "./host-name.ts";
import { openHost } from "./remote/open-host.ts";
import { findStartFolder } from "./start-folder.ts";

export { runInTerminal } from "../process/run-in-terminal.ts";

/** What becomes a login shell at a place, once it is run in a terminal. */
export interface ShellCall {
  readonly argv: readonly string[];
  readonly env: Environment;
  /** For people. */
  readonly host: string;
  readonly folder: string;
  /** null: no run is meant. */
  readonly jobFolder: string | null;
}

export interface ShellWish {
  /** A person sits at a terminal, and the shell gets one. */
  readonly isTerminal: boolean;
  /** Ports of the host that are to be those of this machine's loopback meanwhile. */
  readonly forward: readonly number[];
}

interface ShellPlace {
  /** null: this machine. */
  readonly address: SshHost | null;
  readonly host: string;
  readonly folder: string;
  /** The first that is there is meant. */
  readonly folders: readonly string[];
  readonly jobFolder: string | null;
}

/** A shell in the folder that the run starts in. Nothing is asked of its host. @throws run_unknown, run_ambiguous, usage */
export function makeRunShell(desk: Desk, wanted: string, wish: ShellWish): ShellCall {
  const run = findRun(desk.store, wanted);
  const { remote = null, jobFolder, host } = run;
  const folder = findStartFolder(run);
  const folders = [folder, remote?.folder ?? folder, jobFolder];
  return makeCall(
    desk,
    { address: remote?.address ?? null, host: describeHost(host), folder, folders, jobFolder },
    wish,
  );
}

/** A shell in a target's code folder. @throws trust_needed, usage, and what choosing a target throws */
export async function makeTargetShell(desk: Desk, place: TargetPlace, wish: ShellWish): Promise<ShellCall> {
  const choice = await chooseTargetFor(desk, place, { isEntered: false });
  if ("trust" in choice) throw new SortieError("trust_needed", { file: choice.trust.file });
  const { ssh, section } = choice.target;
  const folder = findFolder(choice.target, place);
  const at = { address: ssh, host: section.name, folder, folders: [folder], jobFolder: null };
  return makeCall(desk, at, wish);
}

function findFolder({ ssh, section, settings }: ChosenTarget, { cwd }: TargetPlace): string {
  if (ssh === null) return settings.codeDir ?? cwd;
  return section.codeDir === undefined ? "~" : findRemoteCodeDir(section);
}

function makeCall(
  desk: Desk,
  { address, host, folder, folders, jobFolder }: ShellPlace,
  { isTerminal, forward }: ShellWish,
): ShellCall {
  const script = makeEnterScript(jobFolder, folders);
  const place = { host, folder, jobFolder };
  if (address === null) {
    if (forward.length > 0) throw refuseForward();
    return { ...place, argv: ["sh", "-c", script], env: withoutMarks(desk.env) };
  }
  const argv = openHost(desk, address).sshArgv({ command: encodeScript(script), tty: isTerminal, forward });
  return { ...place, argv, env: desk.env };
}

function refuseForward(): SortieError {
  const problem = "--forward is for hosts over the network: ports of this machine are here already.";
  return new SortieError("usage", { problem, command: "sortie ssh" });
}
