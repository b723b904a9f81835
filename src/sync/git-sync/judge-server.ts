import { realpathSync } from "node:fs";
import { countOf } from "../../base/count-of.ts";
import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import type { Runner } from "../../process/runner.ts";
import { makeGit } from "../git-tool.ts";
import { namePaths } from "./check-changes.ts";
import type { GitSyncPlan } from "./plan-git-sync.ts";
import { mayBeSameRemote } from "./remote-url.ts";
import type { Checkout, ServerCheckout } from "./server-checkout.ts";
import { isAncestor } from "./unpushed-commits.ts";

export interface ServerScope {
  /** The host for people. */
  readonly host: string;
  /** The code folder there. */
  readonly codeDir: string;
  /** The person's environment at home. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What git will do on one server, in data that a plan can keep. */
export interface ServerStep {
  /** `nothing`: the checkout is where it must be already. */
  readonly action: "clone" | "pull" | "nothing";
  /** The name that the planned remote has there; null for a clone. */
  readonly remote: string | null;
  /** The project's folder below the code folder; "" where it is the code folder itself. */
  readonly below: string;
}

export interface ServerJudgement {
  /** All `git_server_unfit`; none: the step can be done. */
  readonly problems: readonly SortieError[];
  readonly step: ServerStep;
}

/**
 * Whether a server's code folder can be brought to the planned commit by a clone or a pull, without force. Asks git at
 * home whether it knows the server's commit; changes nothing.
 */
export async function judgeServer(
  runner: Runner,
  plan: GitSyncPlan,
  checkout: ServerCheckout,
  scope: ServerScope,
): Promise<ServerJudgement> {
  const head = checkout.state === "checkout" ? checkout.head : null;
  return judgeCheckout(plan, checkout, await relateHead(runner, plan, head, scope), scope);
}

/** How the commit on a server stands to the one that is checked out at home. */
interface HeadRelation {
  /** Home's last commit is this one, or comes after it; also where the server has none. */
  readonly isBehind: boolean;
  /** The files that come new to the server. */
  readonly added: readonly string[];
}

async function relateHead(
  runner: Runner,
  plan: GitSyncPlan,
  serverHead: string | null,
  { env }: ServerScope,
): Promise<HeadRelation> {
  const git = makeGit(runner, env);
  const cwd = realpathSync(plan.root);
  const fresh = plan.files.filter(({ status }) => status === "added").map(({ path }) => path);
  if (serverHead === plan.head) return { isBehind: true, added: fresh };
  if (plan.head === null) return { isBehind: false, added: [] };
  if (serverHead !== null && !(await isAncestor(git, cwd, serverHead, plan.head))) {
    return { isBehind: false, added: [] };
  }
  const form = ["-r", "--name-only", "-z", "--no-renames"];
  const printed =
    serverHead === null
      ? await git.read(["ls-tree", "-r", "--name-only", "-z", plan.head], { cwd })
      : await git.read(["diff-tree", ...form, "--diff-filter=A", serverHead, plan.head], { cwd });
  const deleted = new Set(plan.files.filter(({ status }) => status === "deleted").map(({ path }) => path));
  const older = printed.split("\0").filter((path) => path !== "" && !deleted.has(path));
  return { isBehind: true, added: [...older, ...fresh] };
}

/** The judgement itself. */
function judgeCheckout(
  plan: GitSyncPlan,
  checkout: ServerCheckout,
  relation: HeadRelation,
  { host, codeDir }: Omit<ServerScope, "env">,
): ServerJudgement {
  const makeProblem = ([reason, advice]: Problem) =>
    new SortieError("git_server_unfit", { host, folder: codeDir, reason: makePrintable(reason), advice });
  if (checkout.state === "missing") {
    return { problems: [], step: { action: "clone", remote: null, below: plan.prefix } };
  }
  const none: ServerStep = { action: "nothing", remote: null, below: "" };
  if (checkout.state === "refused") {
    const reason = `git there refuses it: ${checkout.reason.replace(/^fatal: /, "")}`;
    return { problems: [makeProblem([reason, "Try `git status` there by hand."])], step: none };
  }
  if (checkout.state !== "checkout") {
    return { problems: [makeProblem(STATE_PROBLEMS[checkout.state])], step: none };
  }
  const remote = findRemote(plan, checkout);
  const isDone = plan.commit === null && checkout.head === plan.head && plan.submodules.length === 0;
  return {
    problems: listProblems(plan, checkout, relation, remote).map(makeProblem),
    step: {
      action: isDone ? "nothing" : "pull",
      remote,
      below: checkout.prefix === plan.prefix ? "" : plan.prefix,
    },
  };
}

type Problem = readonly [reason: string, advice: string];

const OTHER_FOLDER = "Name another code folder (`Code dir:`), or set `code_sync: rsync`.";

const STATE_PROBLEMS = {
  no_git: ["git is not installed there", "Install git there, or set `code_sync: rsync`."],
  not_folder: ["it is not a folder", OTHER_FOLDER],
  unreadable: ["it cannot be entered", "Give yourself the right to, or name another code folder."],
  no_repository: ["it holds files, but is in no git repository", OTHER_FOLDER],
  bare: ["it belongs to git itself and holds no files of a project", OTHER_FOLDER],
} satisfies Record<string, Problem>;

/** The planned remote by the name it has on the server: the upstream's first, where several fit. */
function findRemote({ branch: { url, pushUrls } }: GitSyncPlan, { remotes, upstream }: Checkout) {
  const fitting = remotes.filter((remote) =>
    [url, ...pushUrls].some((own) => mayBeSameRemote(own, remote.url)),
  );
  const ofUpstream = fitting.find(({ name }) => upstream?.startsWith(`${name}/`));
  return (ofUpstream ?? fitting[0])?.name ?? null;
}

function listProblems(
  plan: GitSyncPlan,
  checkout: Checkout,
  relation: HeadRelation,
  remote: string | null,
): Problem[] {
  const { remoteBranch: branch, url } = plan.branch;
  const { edited, unfinished, head } = checkout;
  const problems: Problem[] = [];
  if (remote === null) {
    const found = checkout.remotes.map((each) => each.url).join(", ");
    const reason = `it is a checkout of another repository (${found || "without a remote"}), not of ${url}`;
    return [[reason, OTHER_FOLDER]];
  }
  if (checkout.prefix !== "" && checkout.prefix !== plan.prefix) {
    problems.push([
      `it is the folder ${checkout.prefix} of its repository, the project another`,
      OTHER_FOLDER,
    ]);
  }
  if (unfinished !== null) {
    problems.push([
      `a ${unfinished} is not finished there`,
      "Finish it or call it off there, then try again.",
    ]);
  }
  if (checkout.isLocked) {
    problems.push([
      "another git command is at work there (index.lock is there)",
      "Wait for it; if none is running, remove .git/index.lock there.",
    ]);
  }
  if (!isOnBranch(checkout, remote, branch)) {
    const now = checkout.branch === null ? "no branch" : `the branch ${checkout.branch}`;
    problems.push([
      `${now} is checked out there, and not one that pulls ${branch} of ${remote}`,
      `Run \`git switch ${branch}\` there, or push to the branch that is pulled there.`,
    ]);
  }
  if (edited.length > 0) {
    const files = countOf(edited.length, "file");
    const advice = "Commit and push them from there, or put them away with `git stash` there.";
    problems.push([`${files} that git tracks differ there from the commit: ${namePaths(edited)}`, advice]);
  }
  const inTheWay = findInTheWay(checkout.untracked, relation.added);
  if (inTheWay.length > 0) {
    const reason = `files that git does not know there lie where the new commit has files: ${namePaths(inTheWay)}`;
    problems.push([reason, "Move them aside there, then try again."]);
  }
  if (!relation.isBehind) {
    problems.push([
      `its commit ${head?.slice(0, 10)} is not in the history of ${plan.branch.branch} here`,
      "Bring its commits in first: push them from there, then `git pull --rebase` here.",
    ]);
  }
  return problems;
}

function isOnBranch({ branch, upstream }: Checkout, remote: string, wanted: string): boolean {
  if (branch === null) return false;
  return upstream === null ? branch === wanted : upstream === `${remote}/${wanted}`;
}

/** Git would refuse these, or write over them: a file where a file comes, or where a folder must be, or the other way round. */
function findInTheWay(untracked: readonly string[], added: readonly string[]): string[] {
  const files = new Set(added);
  const folders = new Set(added.flatMap(listFolders));
  return untracked.filter(
    (path) => files.has(path) || folders.has(path) || listFolders(path).some((folder) => files.has(folder)),
  );
}

function listFolders(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
