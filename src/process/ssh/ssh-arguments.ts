import { createHash } from "node:crypto";
import type { SshHost } from "./ssh-host.ts";

/** Where our own connections and keys lie, and which configuration of the person counts. */
export interface SshPlaces {
  /** A short private folder of ours: its sockets are shared connections. */
  readonly socketFolder: string;
  /** Read in place of ssh's own choice of configuration files; null: ssh chooses. */
  readonly configFile: string | null;
  /** Host keys that were taken on record at the first use, for hosts that the person trusted. */
  readonly pinsFile: string;
  /** The person's own known_hosts files, as `ssh -G` names them; absent: those that ssh takes by itself. */
  readonly knownHostsFiles?: readonly string[];
}

export interface SshUse {
  /** What the host's login shell is given; absent: an interactive shell. */
  readonly command?: string;
  /** A terminal on the host; a person sits there and may be asked for a passphrase. */
  readonly tty?: boolean;
  /** Ports of the host that become the same ports of this machine's loopback, as long as the command lasts. */
  readonly forward?: readonly number[];
  /** Over a connection of its own. */
  readonly alone?: boolean;
}

/** A connection is given up when it was not made, or has been silent, for about so long. */
const CONNECT_TIMEOUT_S = 10;
const ALIVE_EVERY_S = 5;
const ALIVE_MOST = 3;
/** The names of our sockets, of which ssh makes its `%C` 40 bytes long. */
const PERCENT_C_BYTES = 40;
export const SOCKET_NAME_BYTES = PERCENT_C_BYTES + 8;
/** A shared connection that nobody uses is kept for so long. */
const PERSIST_S = 120;
const DEFAULT_KNOWN_HOSTS = ["~/.ssh/known_hosts", "~/.ssh/known_hosts2"];

/**
 * The command line of `ssh` for a host. Everything that is not said here is as the person's own configuration has
 * it: ProxyJump, keys, agent, known hosts, and that host keys are checked.
 */
export function makeSshArgv(host: SshHost, places: SshPlaces, use: SshUse): string[] {
  const { destination, user, port, options } = host;
  return [
    "ssh",
    ...(places.configFile === null ? [] : ["-F", places.configFile]),
    ...listSettings(host, places, use).flatMap((setting) => ["-o", setting]),
    ...(use.forward ?? []).flatMap((number) => ["-L", `127.0.0.1:${number}:127.0.0.1:${number}`]),
    ...(port === null ? [] : ["-p", String(port)]),
    ...(user === null ? [] : ["-l", user]),
    ...options,
    "--",
    destination,
    ...(use.command === undefined ? [] : [use.command]),
  ];
}

function listSettings(host: SshHost, places: SshPlaces, use: SshUse): string[] {
  const forwards = (use.forward ?? []).length > 0;
  const isAlone = forwards || use.alone;
  return [
    `BatchMode=${use.tty ? "no" : "yes"}`,
    `ConnectTimeout=${CONNECT_TIMEOUT_S}`,
    `ServerAliveInterval=${ALIVE_EVERY_S}`,
    `ServerAliveCountMax=${ALIVE_MOST}`,
    // Its words are what a fault is explained by.
    "LogLevel=INFO",
    `RequestTTY=${use.tty ? "yes" : "no"}`,
    "RemoteCommand=none",
    // A forwarding would stay with a shared connection: it gets one of its own. The person's forwardings are not ours.
    ...(forwards ? ["ExitOnForwardFailure=yes"] : ["ClearAllForwardings=yes"]),
    ...(isAlone ? ["ControlMaster=no", "ControlPath=none", "ControlPersist=no"] : listSharing(host, places)),
    ...(host.pinsKeys ? listPinning(host, places) : []),
  ];
}

/**
 * ssh's `%C` stands for address, port and user, in many versions not for the jump host: the same private address behind
 * two of them would be one connection. So what ssh was told is part of the name too.
 */
function listSharing(host: SshHost, { socketFolder, configFile }: SshPlaces): string[] {
  const { destination, user, port, options } = host;
  const told = JSON.stringify([destination, user, port, options, configFile]);
  const name = createHash("sha256")
    .update(told)
    .digest("hex")
    .slice(0, SOCKET_NAME_BYTES - PERCENT_C_BYTES);
  return [
    "ControlMaster=auto",
    `ControlPath=${quoteWord(socketFolder)}/${name}%C`,
    `ControlPersist=${PERSIST_S}`,
  ];
}

function listPinning(
  { keyName }: SshHost,
  { pinsFile, knownHostsFiles = DEFAULT_KNOWN_HOSTS }: SshPlaces,
): string[] {
  const files = [pinsFile, ...knownHostsFiles].map(quoteWord).join(" ");
  return [
    "StrictHostKeyChecking=accept-new",
    `UserKnownHostsFile=${files}`,
    ...(keyName === undefined ? [] : [`HostKeyAlias=${keyName}`]),
  ];
}

/** As ssh reads a list of files: blanks part them, unless they stand between double quotes; % begins a token. */
function quoteWord(path: string): string {
  const text = path.replaceAll("%", "%%");
  return /[\s"\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : text;
}
