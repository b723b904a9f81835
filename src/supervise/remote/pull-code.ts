import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { executeGitSync } from "../../sync/git-sync/execute-git-sync.ts";
import { makePullScript, readPull } from "../../sync/git-sync/pull-script.ts";
import { makeGit } from "../../sync/git-tool.ts";
import type { SentCode, Target } from "../../targets/target.ts";
import type { Desk } from "../desk.ts";
import type { Bringing, GitTerms } from "./sync-terms.ts";

/** A first clone of a big repository over a slow line. */
const PULL_MS = 30 * 60_000;

/**
 * Commits and pushes at home as planned, and brings the host to that very commit. One push serves several hosts: where the
 * commit is made and pushed already, nothing of it is done again.
 */
export async function pullCode(
  desk: Desk,
  target: Target,
  { sync: { home, server }, remote: { codeDir, freeze }, without }: Bringing<GitTerms>,
  beforeStep?: (step: "commit" | "push") => void,
): Promise<SentCode> {
  if (target.ask === null) throw new SortieError("target_unsupported", { kind: target.kind });
  const { commit } = await executeGitSync(desk.runner, home, {
    env: desk.env,
    ...(beforeStep && { beforeStep }),
  });
  const order = { commit, codeDir, step: server, token: makeToken() };
  await target.ask({
    script: makePullScript(home, order),
    timeoutMs: PULL_MS,
    read: (stdout) => readPull(stdout, { ...order, host: target.host }),
  });
  const list = freeze ? await listFiles(desk, home.root, `${commit}:${home.prefix}`) : null;
  return { codeDir, commit, manifest: new Uint8Array(), freeze: list && { list, without } };
}

/** As `makePathList` has them. */
async function listFiles(desk: Desk, root: string, tree: string): Promise<Uint8Array> {
  const git = makeGit(desk.runner, desk.env);
  const names = await git.read(["ls-tree", "-r", "-z", "--name-only", tree], { cwd: root });
  return Buffer.from(names.replaceAll(/[^\0]+/g, "./$&"));
}
