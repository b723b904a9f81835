import { closeDesk, type Desk, openDesk } from "../supervise/desk.ts";
import type { Io } from "./io.ts";

/** Opens the person's Sortie for one command and closes it after. */
export async function withDesk(io: Io, work: (desk: Desk) => Promise<number>): Promise<number> {
  const desk = openDesk({ env: io.env, self: io.self });
  try {
    return await work(desk);
  } finally {
    closeDesk(desk);
    if (desk.unkept.size > 0) {
      io.warn(`warning: ${desk.home.root} cannot be written, so that what was seen is not on record yet.`);
    }
  }
}
