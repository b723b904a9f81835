import { existsSync, readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { makeGlobMatcher } from "../base/globs.ts";
import { type HostFiles, isKnownHost, listIncludes } from "./known-host.ts";
import { readConfigFile } from "./read-file.ts";
import type { SshAddress } from "./ssh-address.ts";

export interface SshFilesPlace {
  /** What ssh is given with `-F`; null: it reads the account's own configuration and the machine's. */
  readonly configFile: string | null;
  /** The home folder of the account, which is where ssh looks, whatever `$HOME` says. */
  readonly accountHome: string;
  /** What `ssh -G` prints for the host. */
  readonly sshSettings: string;
  /** Default: `/etc/ssh/ssh_config`. */
  readonly systemConfig?: string;
}

/** As many as ssh itself goes down, and more files than anybody includes. */
const MOST_DEPTH = 16;
const MOST_FILES = 500;

/**
 * The ssh configuration to be given with `-F`; null: ssh finds it by itself. ssh reads the one of the account; a person
 * who has set another `$HOME` that holds one means that.
 */
export function findSshConfig(
  env: Readonly<Record<string, string | undefined>>,
  accountHome: string,
): string | null {
  if (env["SORTIE_SSH_CONFIG"]) return env["SORTIE_SSH_CONFIG"];
  const home = env["HOME"];
  if (!home || home === accountHome) return null;
  const file = join(home, ".ssh", "config");
  return existsSync(file) ? file : null;
}

/** Whether the person already knows every host that a connection passes, by their own files of ssh. */
export function isHostKnown(address: SshAddress, place: SshFilesPlace): boolean {
  const files = loadHostFiles(place);
  const { sshSettings } = place;
  if (isKnownHost(address, files)) return true;
  // A key may be on record under the name and port that the configuration makes of what was written.
  const destination = findSetting(sshSettings, "hostkeyalias") ?? findSetting(sshSettings, "hostname");
  const port = Number(findSetting(sshSettings, "port") ?? Number.NaN);
  if (destination === undefined || !Number.isInteger(port)) return false;
  return isKnownHost({ ...address, destination, port }, { ...files, sshConfigs: [] });
}

/** The known_hosts files among what `ssh -G` prints, the person's own before the machine's. */
export function listKnownHostsFiles(sshSettings: string, accountHome: string): string[] {
  return ["userknownhostsfile", "globalknownhostsfile"].flatMap((name) =>
    // Paths stand unquoted there, and may hold blanks: each begins with a slash or the home folder.
    (findSetting(sshSettings, name) ?? "")
      .split(/ (?=[/~])/)
      .filter((path) => path !== "" && path !== "none")
      .map((path) => expandHome(path, accountHome)),
  );
}

function loadHostFiles({ configFile, accountHome, sshSettings, systemConfig }: SshFilesPlace): HostFiles {
  const own = join(accountHome, ".ssh");
  const system = systemConfig ?? "/etc/ssh/ssh_config";
  const configs: [path: string, includesFrom: string][] =
    configFile === null
      ? [
          [join(own, "config"), own],
          [system, dirname(system)],
        ]
      : [[configFile, own]];
  return {
    sshConfigs: configs.flatMap(([path, includesFrom]) => readWithIncludes(path, includesFrom, accountHome)),
    knownHosts: listKnownHostsFiles(sshSettings, accountHome).flatMap(readText),
  };
}

/** A relative include of any file of the person's is looked for in the account's `.ssh`, as ssh does it, also under `-F`. */
function readWithIncludes(path: string, includesFrom: string, accountHome: string): string[] {
  const texts: string[] = [];
  const read = (file: string, depth: number) => {
    if (depth > MOST_DEPTH || texts.length >= MOST_FILES) return;
    for (const text of readText(file)) {
      texts.push(text);
      for (const include of listIncludes(text)) {
        const expanded = expandHome(include, accountHome);
        const pattern = isAbsolute(expanded) ? expanded : join(includesFrom, expanded);
        for (const included of findMatches(pattern)) read(included, depth + 1);
      }
    }
  };
  read(path, 0);
  return texts;
}

/** Files that an absolute glob names, part by part; as in a shell, `*` names no hidden file. */
function findMatches(pattern: string): string[] {
  const parts = pattern.split("/").filter(Boolean);
  return parts.reduce<string[]>(
    (folders, part) => {
      if (!/[*?[]/.test(part)) return folders.map((folder) => join(folder, part));
      const matches = makeGlobMatcher([part]);
      const isMatch = (name: string) => matches(name) && (part.startsWith(".") || !name.startsWith("."));
      return folders.flatMap((folder) =>
        listNames(folder)
          .filter(isMatch)
          .map((name) => join(folder, name)),
      );
    },
    ["/"],
  );
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // no folder, or not ours to look into: nothing is included from there
  }
}

function readText(path: string): string[] {
  const reading = readConfigFile(path);
  return reading.state === "text" ? [reading.text] : [];
}

function findSetting(sshSettings: string, name: string): string | undefined {
  return new RegExp(`^${name} (.+)$`, "m").exec(sshSettings)?.[1];
}

function expandHome(path: string, accountHome: string): string {
  return path.replace(/^~(?=\/|$)/, accountHome);
}
