import { type Static, Type } from "@sinclair/typebox";
import type { BoardConfig, GatewayConfig } from "../config/gateway-config.ts";
import { findBoard } from "./known-board.ts";
import { Refusal } from "./refusal.ts";

const MOST_LINK_CHARACTERS = 512;

/** The body of `POST /api/challenge/job`. The link is looked at by hand: its refusals have words of their own. */
export const Submission = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 128 }),
  config: Type.Object({
    board: Type.String(),
    model_name: Type.String({ minLength: 1, maxLength: 128 }),
    description: Type.Optional(Type.String({ maxLength: 4096 })),
    paper_link: Type.Optional(Type.String({ description: "http:// or https://, at most 512 characters." })),
  }),
});

/** Checks all that can be wrong with a submission, before anything is counted. The board that it is for. @throws Refusal */
export function checkSubmission(
  { boards }: Pick<GatewayConfig, "boards">,
  { name, config }: Static<typeof Submission>,
): BoardConfig {
  const board = findBoard({ boards }, config.board);
  if (board.tasks.every(({ cases }) => cases === 0)) throw new Refusal(400, "no task templates for board");
  checkLine("name", name);
  checkLine("config.model_name", config.model_name);
  // A text may have lines, but nothing that a database or a terminal makes something else of.
  if (/[^\P{Cc}\n\r\t]|\p{Cs}/u.test(config.description ?? ""))
    throw new Refusal(400, "config.description has characters that are no text");
  checkLink(config.paper_link ?? "");
  return board;
}

function checkLine(what: string, text: string): void {
  if (text.trim() === "") throw new Refusal(400, `${what} is blank`);
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw new Refusal(400, `${what} has characters that are no text`);
}

/** An empty one is as good as none. */
function checkLink(link: string): void {
  if (link === "") return;
  if (link.length > MOST_LINK_CHARACTERS) throw new Refusal(400, "paper_link too long");
  const isAddress = /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/iu.test(link) && URL.canParse(link);
  if (!isAddress) throw new Refusal(400, "paper_link is not a valid URL");
}
