import { splitShellWords } from "./shell-words.ts";

/** How a host is reached: the arguments of the system's `ssh`, taken apart. */
export interface SshAddress {
  /** An alias of the person's ssh configuration, or a host name. */
  readonly destination: string;
  readonly user: string | null;
  readonly port: number | null;
  /** Further options, one argument each: `["-J", "jump", "-4"]`. */
  readonly options: readonly string[];
}

export type SshReading = { readonly value: SshAddress } | { readonly problem: string };

/** Options of ssh that take a value; all others are switches. */
const WITH_VALUE = "BbcDEeFIiJLlmOopPQRSWw";
const NAME = /^[\p{L}\p{N}_.:%[\]][\p{L}\p{N}_.:%[\]-]*$/u;

/** Reads an alias, `user@host`, `user@host:port`, `ssh://user@host:port` or a whole ssh command. */
export function parseSshAddress(text: string): SshReading {
  const words = splitShellWords(text);
  if (!words) return { problem: "has a quote that is not closed" };
  if (words[0] === "ssh") words.shift();
  const options: string[] = [];
  const found: { user: string | null; port: number | null; destination: string | null } = {
    user: null,
    port: null,
    destination: null,
  };
  while (words.length > 0) {
    const word = words.shift() as string;
    if (!word.startsWith("-")) {
      if (found.destination !== null)
        return { problem: "holds more than a host: only options may stand beside it" };
      found.destination = word;
      continue;
    }
    const problem = readOption(word, words, found, options);
    if (problem) return { problem };
  }
  return found.destination === null
    ? { problem: "names no host" }
    : makeAddress(found.destination, found.user, found.port, options);
}

/** The hosts that a connection passes: jump hosts first, the destination last. */
export function listHosts(address: SshAddress): { host: string; port: number | null }[] {
  const jumps = address.options.flatMap((option, index) =>
    option === "-J" ? (address.options[index + 1] ?? "").split(",") : [],
  );
  const hops = jumps.flatMap((jump) => {
    const read = splitDestination(jump);
    return read ? [{ host: read.host, port: read.port }] : [];
  });
  return [...hops, { host: address.destination, port: address.port }];
}

/** Options that change what is run or whom is trusted, hence need the person's trust. */
export function listUncommonOptions(options: readonly string[]): string[] {
  const uncommon: string[] = [];
  for (let index = 0; index < options.length; index += 1) {
    const option = options[index] as string;
    const takesValue = WITH_VALUE.includes(option[1] as string);
    if (!/^-[iJ46C]$/.test(option)) uncommon.push(takesValue ? `${option} ${options[index + 1]}` : option);
    if (takesValue) index += 1;
  }
  return uncommon;
}

/** Reads one word of options, `-p22`, `-4C` or `-i` with the next word; returns what is wrong, if anything. */
function readOption(
  word: string,
  rest: string[],
  found: { user: string | null; port: number | null },
  options: string[],
): string | undefined {
  if (!/^-[A-Za-z0-9]/.test(word)) return `has the option ${word}, which ssh does not know`;
  for (let at = 1; at < word.length; at += 1) {
    const letter = word[at] as string;
    if (!WITH_VALUE.includes(letter)) {
      options.push(`-${letter}`);
      continue;
    }
    const value = word.slice(at + 1) || rest.shift();
    if (value === undefined) return `ends after -${letter}, which takes a value`;
    return setOption(letter, value, found, options);
  }
  return undefined;
}

function setOption(
  letter: string,
  value: string,
  found: { user: string | null; port: number | null },
  options: string[],
): string | undefined {
  if (letter === "p") {
    const port = parsePort(value);
    if (port === null) return `has the port ${value}, which is not a number from 1 to 65535`;
    found.port = port;
  } else if (letter === "l") {
    if (!isUser(value)) return `has a user name that ssh would not take: ${value}`;
    found.user = value;
  } else {
    if (letter === "J" && !value.split(",").every((jump) => splitDestination(jump))) {
      return `has a jump host that cannot be read: ${value}`;
    }
    options.push(`-${letter}`, value);
  }
  return undefined;
}

function makeAddress(
  written: string,
  user: string | null,
  port: number | null,
  options: readonly string[],
): SshReading {
  const read = splitDestination(written);
  if (!read) return { problem: `names no host that ssh would take: ${written}` };
  if (user !== null && read.user !== null && user !== read.user) return { problem: "names two users" };
  if (port !== null && read.port !== null && port !== read.port) return { problem: "names two ports" };
  return { value: { destination: read.host, user: user ?? read.user, port: port ?? read.port, options } };
}

/** A host with what may stand round it; null for anything that could be an option or shell text. */
function splitDestination(
  written: string,
): { host: string; user: string | null; port: number | null } | null {
  const plain = written.replace(/^ssh:\/\//, "").replace(/\/$/, "");
  const at = plain.lastIndexOf("@");
  const user = at === -1 ? null : plain.slice(0, at);
  const place = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(plain.slice(at + 1));
  const host = place ? (place[1] as string).replace(/^\[(.*)\]$/, "$1") : plain.slice(at + 1);
  const port = place?.[2] === undefined ? null : parsePort(place[2]);
  if (!NAME.test(host) || (user !== null && !isUser(user))) return null;
  return place?.[2] !== undefined && port === null ? null : { host, user, port };
}

function isUser(user: string): boolean {
  return /^[\p{L}\p{N}_.][\p{L}\p{N}_.@\\+-]*$/u.test(user);
}

function parsePort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}
