import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { explainRefusal, type PersonGit } from "./person-git.ts";

const TIME_LIMIT_MS = 10_000;

/** `Name <address>` that a commit made now would bear. @throws SortieError `git_identity_missing` */
export async function loadIdentity(git: PersonGit, root: string): Promise<string> {
  const call = { cwd: root, timeoutMs: TIME_LIMIT_MS };
  const committer = await git.run(["var", "GIT_COMMITTER_IDENT"], call);
  const author = await git.run(["var", "GIT_AUTHOR_IDENT"], call);
  const refused = [committer, author].find(({ exitCode }) => exitCode !== 0);
  if (refused) throw new SortieError("git_identity_missing", { reason: findReason(explainRefusal(refused)) });
  return makePrintable(author.stdout.trim().replace(/ \d+ [+-]\d{4}$/, ""));
}

/** Git gives half a page of advice, with the reason at its end. */
function findReason(words: string): string {
  return words.split("; ").at(-1) ?? words;
}
