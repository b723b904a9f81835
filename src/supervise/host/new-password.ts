import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import type { ActionCall } from "../actions/action.ts";
import type { Desk } from "../desk.ts";
import { isInvisible } from "./is-invisible.ts";

export const PASSWORD_VARIABLE = "SORTIE_USER_PASSWORD";

const LEAST_CHARACTERS = 8;
const MOST_CHARACTERS = 1024;

export interface NewPassword {
  readonly password: string;
  /** It was made here, so that nobody knows it until it is shown. */
  readonly isMade: boolean;
}

/** The password that the caller or the environment gives, else a random one. @throws value_bad, which does not repeat it */
export function readNewPassword(desk: Desk, { secrets }: ActionCall): NewPassword {
  const [what, given] = secrets["password"]
    ? ["--password-stdin", secrets["password"]]
    : [PASSWORD_VARIABLE, desk.env[PASSWORD_VARIABLE]];
  if (given === undefined || given === "") return { password: makeToken(), isMade: true };
  const reason = findFault(given);
  if (reason === undefined) return { password: given, isMade: false };
  const advice = `Give one line of ${LEAST_CHARACTERS} characters or more, or none: then one is made.`;
  throw new SortieError("value_bad", { what, value: "taken", reason, advice });
}

function findFault(password: string): string | undefined {
  if (password.length < LEAST_CHARACTERS) return "it is too short";
  if (password.length > MOST_CHARACTERS) return "it is too long";
  if (isInvisible(password)) return "there is nothing in it but blanks";
  return /\p{Cc}/u.test(password) ? "there are control characters in it" : undefined;
}
