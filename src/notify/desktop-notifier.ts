import { makePrintable } from "../base/printable.ts";
import { redactText } from "../base/redact.ts";
import { findProgram } from "../process/find-program.ts";
import type { Outcome, Runner } from "../process/runner.ts";
import { describeNotice, type NoticeText } from "./describe-notice.ts";
import type { Notifier, SendOutcome } from "./notifier.ts";
import { redactNotice } from "./redact-notice.ts";

const TIMEOUT_MS = 5_000;
/** A desktop shows no more of one. */
const MOST_LINES = 6;
const LIMITS = [{ calls: 2, withinMs: 1_000 }];
/** The words come as arguments: nothing of them is ever read as script. */
const SCRIPT = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
] as const;

/**
 * A notification of the desktop, by `notify-send`, or `osascript` on macOS; null where there is no such program or no
 * desktop to show it on.
 */
export function makeDesktopNotifier({
  runner,
  env,
  platform,
}: {
  readonly runner: Runner;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}): Notifier | null {
  const isMac = platform === "darwin";
  const hasDesktop = isMac || ["DISPLAY", "WAYLAND_DISPLAY"].some((name) => env[name]);
  const program = hasDesktop ? findProgram(isMac ? "osascript" : "notify-send", env) : null;
  if (program === null) return null;
  const make = isMac ? makeMacArguments : makeFreeArguments;
  return {
    ...{ channel: "desktop", limits: LIMITS },
    send: async (notice, signal) => {
      const argv = [program, ...make(describeNotice(redactNotice(notice, [])))];
      return judgeOutcome(await runner.run(argv, { env, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) }));
    },
  };
}

function makeMacArguments({ title, lines }: NoticeText): string[] {
  const script = SCRIPT.flatMap((line) => ["-e", line]);
  return [...script, `Sortie: ${title}`, lines.slice(0, MOST_LINES).join("\n")];
}

/** The body is markup to many desktops. */
function makeFreeArguments({ title, colour, lines }: NoticeText): string[] {
  const body = lines.slice(0, MOST_LINES).join("\n");
  const escaped = body.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const urgency = colour === "red" ? "critical" : "normal";
  return ["--app-name=Sortie", `--urgency=${urgency}`, "--", `Sortie: ${title}`, escaped];
}

function judgeOutcome({ exitCode, timedOut, notStarted, stderr }: Outcome): SendOutcome {
  if (exitCode === 0) return { state: "sent" };
  const reason = makePrintable(redactText(stderr.trim()).slice(0, 200)) || "it ended with a fault";
  if (notStarted || exitCode !== null) return { state: "refused", reason };
  return { state: "unsure", reason: timedOut ? `it did not end within ${TIMEOUT_MS / 1000} s` : reason };
}
