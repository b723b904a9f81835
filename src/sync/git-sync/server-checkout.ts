import { quotePath } from "../../base/quote.ts";
import { type Change, parseStatus } from "../git-status.ts";
import checkoutFunctions from "./checkout.sh";
import { cleanUrl } from "./remote-url.ts";

/** What is at the code folder of a host, for git. */
export type ServerCheckout =
  | { readonly state: "no_git" | "missing" | "not_folder" | "unreadable" | "no_repository" | "bare" }
  | { readonly state: "refused"; readonly reason: string }
  | ({ readonly state: "checkout" } & Checkout);

export interface Checkout {
  /** The code folder below the top folder of the repository; "" for the top folder itself. */
  readonly prefix: string;
  /** The commit that is checked out; null before the first one. */
  readonly head: string | null;
  /** null when no branch is. */
  readonly branch: string | null;
  /** As `origin/main`; null when there is none. */
  readonly upstream: string | null;
  readonly remotes: readonly { readonly name: string; readonly url: string }[];
  /**
   * Edited, added or deleted files that git tracks, and files that it does not know, from the top folder: 2000 in all, and
   * no ignored ones. The pull itself looks at every file that it would write.
   */
  readonly edited: readonly string[];
  readonly untracked: readonly string[];
  /** As `merge`; null when nothing is. */
  readonly unfinished: string | null;
  /** A lock of git's is there: a command is at work, or was killed. */
  readonly isLocked: boolean;
}

/** Shell text that prints `git_…=value` lines about a folder; it may stand inside a longer script for `sh -s`. */
export function makeCheckoutProbe(codeDir: string): string {
  return `${checkoutFunctions}\ngit_checkout ${quotePath(codeDir)}\n`;
}

/** Reads these lines among others; null when none of them is there. */
export function readServerCheckout(lines: readonly (readonly [string, string])[]): ServerCheckout | null {
  const find = (key: string) => lines.find(([name]) => name === key)?.[1];
  const list = (key: string) => lines.filter(([name]) => name === key).map(([, value]) => value);
  const state = find("git_state") as ServerCheckout["state"] | undefined;
  if (state === undefined) return null;
  if (state === "refused") return { state, reason: find("git_reason") ?? "" };
  if (state !== "checkout") return { state };
  const status = list("git_status").map((line) => line.replace(/;$/, ""));
  if (!status.some((line) => line.startsWith("# branch.oid "))) {
    return { state: "refused", reason: "`git status` gives no answer (git must be 2.11 or later)" };
  }
  return {
    state,
    prefix: (find("git_prefix") ?? "").replace(/\/$/, ""),
    remotes: list("git_remote").map(parseRemote),
    unfinished: find("git_unfinished") || null,
    isLocked: find("git_locked") === "yes",
    ...readStatus(status),
  };
}

function parseRemote(text: string) {
  const space = text.indexOf(" ");
  return { name: text.slice(0, space), url: cleanUrl(text.slice(space + 1)) };
}

function readStatus(lines: readonly string[]) {
  const { branch, changes } = parseStatus(lines.join("\n"));
  const header = (name: string) =>
    lines.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3) ?? null;
  const head = header("branch.oid");
  const listPaths = (list: readonly Change[]) => list.map(({ path }) => path.toString());
  return {
    head: head === "(initial)" ? null : head,
    branch,
    upstream: header("branch.upstream"),
    edited: listPaths(changes.filter((change) => !isUntracked(change))),
    untracked: listPaths(changes.filter(isUntracked)),
  };
}

function isUntracked({ tracked, staged }: Change): boolean {
  return !tracked && !staged;
}
