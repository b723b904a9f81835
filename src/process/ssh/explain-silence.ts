import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { quoteCommand } from "../../base/quote.ts";
import type { Outcome } from "../runner.ts";
import { readChangedKey } from "./host-key.ts";
import { describeSshHost, type SshHost } from "./ssh-host.ts";

/** Files that a login shell reads before it runs a command, by shell. */
const START_FILES = [
  "bash reads ~/.bashrc",
  "zsh reads ~/.zshenv",
  "fish reads ~/.config/fish/config.fish",
  "tcsh reads ~/.tcshrc or ~/.cshrc",
].join(", ");

const NO_NEWS = /^@|already exists, disabling multiplexing|^Warning: Permanently|^Pseudo-terminal/;
/** What ssh says after a jump host has told the cause. */
const JUMP_ECHO = /UNKNOWN port 65535|^kex_exchange_identification/;
/** Why a key of the person's was not even tried. */
const KEY_TROUBLE = /^no such identity|^Load key|^sign_and_send_pubkey|UNPROTECTED PRIVATE KEY/;
const MOST_WORDS = 300;

/** What ssh itself says, by the fault that it means. The first that fits is taken; the words are OpenSSH's own. */
const SAYINGS = [
  [
    "ssh_config_bad",
    /bad configuration option|terminating, \d+ bad|Bad owner or permissions|unknown option|^usage: ssh|too long for Unix domain socket|^command-line.*:|keyword .* (?:extra|missing) argument|Bad port/im,
  ],
  ["ssh_host_key_unknown", /Host key verification failed|host key is known for|host key fingerprint/i],
  [
    "ssh_auth_refused",
    /Permission denied|Too many authentication failures|No more authentication methods|no mutual signature/i,
  ],
  [
    "ssh_lost",
    /closed by remote host\.|Broken pipe|Timeout, server .* not responding|read from master failed|Shared connection/i,
  ],
  [
    "ssh_unreachable",
    /connect to host|Could not resolve|timed out|Connection (?:closed|reset)|No route|unreachable|Unable to negotiate|stdio forwarding failed|open failed|proxy/i,
  ],
] as const;

/**
 * Why a command on a host left no answer, or not a whole one: from how `ssh` ended and what it said. To be asked only
 * where the answer is missing, since a command may well end with 255 or print such words itself.
 */
export function explainSilence(
  outcome: Outcome,
  host: SshHost,
  configFile: string | null = null,
): SortieError {
  const about = { host: describeSshHost(host), command: makeHandCommand(host, configFile) };
  const said = pickWords(outcome.stderr);
  if (outcome.notStarted && /ENOENT|EACCES/.test(outcome.stderr))
    return new SortieError("ssh_missing", { reason: said });
  const changed = readChangedKey(outcome.stderr);
  if (changed) return explainChangedKey(changed, about.host);
  if (outcome.timedOut)
    return new SortieError("ssh_unreachable", {
      ...about,
      reason: said || "no answer came within the time limit",
    });
  if (outcome.exitCode === null)
    return new SortieError("ssh_lost", { ...about, reason: said || "it was called off" });
  if (outcome.exitCode === 255) return explainFault(outcome.stderr, about);
  return new SortieError("ssh_shell_silent", {
    ...about,
    ...{ reason: describeShell(outcome, said), files: START_FILES, command: `${about.command} echo there` },
  });
}

/** As a person would type it. */
function makeHandCommand({ destination, user, port, options }: SshHost, configFile: string | null): string {
  const config = configFile === null ? [] : ["-F", configFile];
  const place = user === null ? destination : `${user}@${destination}`;
  return quoteCommand(["ssh", ...config, ...(port === null ? [] : ["-p", String(port)]), ...options, place]);
}

type About = { readonly host: string; readonly command: string };

function explainFault(stderr: string, about: About): SortieError {
  const [code, saying] = SAYINGS.find(([, words]) => words.test(stderr)) ?? [];
  // Without a word of ssh: the connection broke under a command, or its shell was killed.
  if (!code) return new SortieError("ssh_lost", { ...about, reason: "it ended without a word" });
  // A banner of the host stands among the words of ssh.
  const reason = pickWords(stderr, (line) => saying.test(line) || KEY_TROUBLE.test(line));
  const shown = code === "ssh_host_key_unknown" ? describeShownKey(stderr) : undefined;
  return new SortieError(code, { ...about, reason, shown });
}

function explainChangedKey(
  changed: NonNullable<ReturnType<typeof readChangedKey>>,
  asked: string,
): SortieError {
  const { name, place, file, oldKey, newKey } = changed;
  return new SortieError("ssh_host_key_changed", {
    ...{ host: asked, name, file: place, old: oldKey, new: newKey },
    command: quoteCommand(["ssh-keygen", "-f", file, "-R", name]),
  });
}

function describeShownKey(stderr: string): string {
  const key = /SHA256:\S+?(?=\.?\s|$)/.exec(stderr)?.[0];
  return key === undefined ? "" : ` (it shows ${key})`;
}

function describeShell({ exitCode, stdout }: Outcome, said: string): string {
  const printed = pickWords(stdout);
  const words = [printed && `printed \`${printed}\``, said && `said \`${said}\``].filter(Boolean);
  const what = words.length === 0 ? "printed nothing" : words.join(" and ");
  return `its login shell ${what} and ended with ${exitCode}`;
}

/** The last lines of what was said, on one line, without what is no news. */
function pickWords(text: string, isWanted: (line: string) => boolean = () => true): string {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !NO_NEWS.test(line) && isWanted(line));
  const told = lines.filter((line) => !JUMP_ECHO.test(line));
  const words = makePrintable((told.length > 0 ? told : lines).slice(-2).join("; "));
  return words.replace(/[.\s]+$/, "").slice(0, MOST_WORDS);
}
