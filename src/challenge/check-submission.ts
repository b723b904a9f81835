import { SortieError } from "../base/error.ts";
import { findLikely } from "../base/nearest.ts";
import { quoteInput } from "../base/quote-input.ts";
import type { Submission } from "./api/submit-job.ts";

/** The boards of the challenge. */
export const boardNames = ["instruction", "spatial", "manip", "robust"] as const;

const MOST_NAME_CHARACTERS = 128;
const MOST_LINK_CHARACTERS = 512;

/**
 * Finds what the server would refuse, before anything is sent. `boards`: the boards of a server that has others.
 * @throws SortieError `challenge_submission_wrong`
 */
export function checkSubmission(submission: Submission, boards: readonly string[] = boardNames): void {
  const { name, board, modelName, description, paperLink } = submission;
  checkBoard(board, boards);
  checkName("name", name);
  checkName("model name", modelName);
  if (description?.includes("\0")) refuse("description", "there is a null character in it");
  if (paperLink) checkLink(paperLink);
}

function checkBoard(board: string, boards: readonly string[]): void {
  if (boards.includes(board)) return;
  const likely = findLikely(board, boards);
  const meant = likely === undefined ? "" : `; did you mean ${likely}?`;
  refuse("board", `there is no ${quoteInput(board)}, there are ${boards.join(", ")}${meant}`);
}

function checkName(field: string, text: string): void {
  if (text.trim() === "") refuse(field, "it is empty");
  if (/[\p{Cc}\p{Cs}]/u.test(text)) refuse(field, "there are characters in it that are no text");
  if (text.length > MOST_NAME_CHARACTERS)
    refuse(field, `it has more than ${MOST_NAME_CHARACTERS} characters`);
}

function checkLink(link: string): void {
  if (link.length > MOST_LINK_CHARACTERS)
    refuse("paper link", `it has ${link.length} characters, at most ${MOST_LINK_CHARACTERS} are taken`);
  if (!/^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/iu.test(link) || !URL.canParse(link))
    refuse("paper link", `${quoteInput(link)} is no http:// or https:// address`);
}

function refuse(field: string, fault: string): never {
  throw new SortieError("challenge_submission_wrong", { field, fault });
}
