import { SortieError } from "../base/error.ts";
import type { Io } from "./io.ts";
import { askPassword, readPasswordLine } from "./read-password.ts";

export interface LoginFlags {
  email?: string;
  passwordStdin?: boolean;
}

/** E-mail address and password: as flag and stdin say, else of the environment, else asked for. @throws usage */
export async function readLogin(
  io: Io,
  { email, passwordStdin }: LoginFlags,
): Promise<{ email: string; password: string }> {
  const address = email ?? io.env["CHALLENGE_EMAIL"] ?? (io.isTerminal ? await askEmail() : "");
  if (address.trim() === "") refuse("No e-mail address was given: --email, or CHALLENGE_EMAIL.");
  const password = await readPassword(io, passwordStdin);
  if (password === "") refuse("No password was given: --password-stdin, or CHALLENGE_PASSWORD.");
  return { email: address, password };
}

async function readPassword(io: Io, isStdin = false): Promise<string> {
  const named = io.env["CHALLENGE_PASSWORD"];
  if (!isStdin && named) return named;
  if (io.isTerminal) return askPassword();
  return isStdin ? readPasswordLine() : "";
}

async function askEmail(): Promise<string> {
  const { isCancel, text } = await import("@clack/prompts");
  const answer = await text({ message: "E-mail address" });
  if (isCancel(answer)) throw new SortieError("interrupted");
  return answer ?? "";
}

function refuse(problem: string): never {
  throw new SortieError("usage", { problem, command: "sortie challenge login" });
}
