import { makePrintable } from "../base/printable.ts";
import type { KeptLogin } from "../supervise/contest/log-in.ts";
import type { Io } from "./io.ts";
import { warnNote } from "./warn-note.ts";

export function reportLogin(io: Io, { baseUrl, path, user, expiresAt, said }: KeptLogin): number {
  if (io.json) io.printDocument({ login: { baseUrl, user, expiresAt, file: path } });
  else {
    io.say(makePrintable(`Logged in at ${baseUrl} as ${user}.`));
    io.say(makePrintable(`The token is in ${path}.`));
    if (expiresAt !== null)
      io.say(`It is good until ${new Date(expiresAt).toLocaleString("sv").slice(0, 16)}.`);
  }
  for (const line of said) warnNote(io, line);
  return 0;
}
