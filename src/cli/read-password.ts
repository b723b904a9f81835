import { text } from "node:stream/consumers";
import { SortieError } from "../base/error.ts";
import type { ActionCall } from "../supervise/actions/action.ts";
import type { ChangeOptions } from "./define-change.ts";
import type { Io } from "./io.ts";

export interface PasswordOptions extends ChangeOptions {
  passwordStdin?: boolean;
}

/** How a password comes in, once the plan is confirmed: typed unseen on a terminal, else from stdin. @throws usage */
export function readPasswordCall(io: Io, { passwordStdin, yes }: PasswordOptions): () => Promise<ActionCall> {
  if (!passwordStdin) return async () => ({ secrets: {} });
  if (!yes && !io.isTerminal) {
    const problem = "--password-stdin needs --yes: a plan that is confirmed later keeps no password.";
    throw new SortieError("usage", { problem, command: "sortie gateway user" });
  }
  return async () => ({
    secrets: { password: checkGiven(await (io.isTerminal ? askPassword() : readPasswordLine())) },
  });
}

/** Typed unseen. @throws interrupted */
export async function askPassword(): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: "The password" });
  if (isCancel(answer)) throw new SortieError("interrupted");
  return answer;
}

/** All that comes from stdin, without the end of its line. */
export async function readPasswordLine(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, "");
}

function checkGiven(password: string): string {
  if (password) return password;
  throw new SortieError("value_bad", {
    ...{ what: "--password-stdin", value: "taken", reason: "nothing came" },
    advice: "Send the password as one line, or leave the flag out: then one is made.",
  });
}
