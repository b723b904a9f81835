import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SortieError } from "../../base/error.ts";
import type { Repository } from "../git-repository.ts";
import { findGitFault, type Git } from "../git-tool.ts";
import { cleanUrl } from "./remote-url.ts";

/** The branch that is checked out at home, and where it is pushed to. URLs are without what may be secret in them. */
export interface HomeBranch {
  readonly branch: string;
  /** The remote's name. */
  readonly remote: string;
  /** The branch's name there. */
  readonly remoteBranch: string;
  readonly url: string;
  /** Where a push goes: the same, where the person has not set other places. */
  readonly pushUrls: readonly string[];
}

const BRANCHES = "refs/heads/";

/** Looks, and refuses where a commit and a push would not do what a person expects. @throws SortieError */
export async function loadHomeBranch(git: Git, repository: Repository): Promise<HomeBranch> {
  const { root } = repository;
  checkQuiet(repository);
  const head = await git.ask(["symbolic-ref", "--quiet", "HEAD"], { cwd: root });
  if (head.exitCode === 1) {
    throw new SortieError("git_detached", { folder: root, commit: repository.commit?.slice(0, 10) });
  }
  const reason = findGitFault(head);
  if (reason !== null) throw new SortieError("git_failed", { command: "symbolic-ref", reason, folder: root });
  const branch = head.stdout.trim().slice(BRANCHES.length);

  const settings = await loadSettings(git, root);
  const remote = settings.get(`branch.${branch}.remote`);
  const merge = settings.get(`branch.${branch}.merge`) ?? "";
  // A remote called `.` is this repository: the upstream is another branch here.
  const known = remote !== undefined && remote !== "." && merge.startsWith(BRANCHES);
  const urls = known ? await loadUrls(git, root, remote) : null;
  if (!known || urls === null) throw new SortieError("git_upstream_missing", { branch });
  const pushRemote = settings.get(`branch.${branch}.pushremote`) ?? settings.get("remote.pushdefault");
  if (pushRemote !== undefined && pushRemote !== remote) {
    throw new SortieError("git_push_elsewhere", { branch, remote, pushRemote });
  }
  return { branch, remote, remoteBranch: merge.slice(BRANCHES.length), ...urls };
}

/** What git leaves in its folder while something is not finished. */
const UNFINISHED = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase or `git am`"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
] as const;

function checkQuiet({ root, index }: Repository) {
  const gitFolder = dirname(index);
  const found = UNFINISHED.find(([name]) => existsSync(join(gitFolder, name)));
  if (found !== undefined) throw new SortieError("git_unfinished", { what: found[1], folder: root });
  const lock = `${index}.lock`;
  if (existsSync(lock)) throw new SortieError("git_locked", { folder: root, lock });
}

/** The last value of each setting about branches and pushing. Names are in lower case, but for that of the branch. */
async function loadSettings(git: Git, root: string): Promise<Map<string, string>> {
  const wanted = ["config", "--null", "--get-regexp", String.raw`^(branch\..*|remote\.pushdefault)$`];
  const outcome = await git.ask(wanted, { cwd: root });
  const entries = outcome.stdout.split("\0").filter((entry) => entry !== "");
  return new Map(entries.map((entry) => [entry.split("\n", 1)[0] as string, entry.replace(/^[^\n]*\n/, "")]));
}

/** null where the remote is not one that git knows by name. */
async function loadUrls(git: Git, root: string, remote: string) {
  const fetching = await git.ask(["remote", "get-url", remote], { cwd: root });
  const pushing = await git.ask(["remote", "get-url", "--push", "--all", remote], { cwd: root });
  if (fetching.exitCode !== 0 || pushing.exitCode !== 0) return null;
  const told = [fetching.stdout.trim(), ...pushing.stdout.trim().split("\n")];
  const whole = told.map((each) => (/^\.\.?(\/|$)/.test(each) ? resolve(root, each) : each));
  const [url = "", ...pushUrls] = whole.map(cleanUrl);
  return { url, pushUrls };
}
