import { rm } from "node:fs/promises";
import { connect, createServer, type OnReadOpts, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { describeFault } from "../base/error.ts";
import { makeTempFolder } from "./temp-folder.ts";

/** Two ends of one connection. `theirs` is made to be handed to a child, then destroyed here. */
export interface SocketPair {
  readonly ours: Socket;
  readonly theirs: Socket;
}

/** The path of a socket has room for 103 bytes on some systems. */
const MOST_FOLDER_BYTES = 100;

/**
 * Connects two sockets. Unlike the pipes that Node makes for a child, our end reads into memory of the caller's choice
 * (`onread`), which spares a copy of all that comes. The folder of the socket is ours alone, and is gone again after it.
 * Never rejects: `notMade` says why there are none, in Node's words, which begin with the system's code.
 */
export async function makeSocketPair(onread: OnReadOpts): Promise<SocketPair | { readonly notMade: string }> {
  try {
    const made = makeTempFolder("sortie-", MOST_FOLDER_BYTES);
    if ("notMade" in made) return made;
    const folder = made.path;
    const server = createServer({ pauseOnConnect: true });
    try {
      const path = join(folder, "s");
      await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
      return await joinEnds(server, connect({ path, onread }));
    } finally {
      server.close();
      await rm(folder, { recursive: true, force: true });
    }
  } catch (fault) {
    return { notMade: describeFault(fault) };
  }
}

function joinEnds(server: Server, ours: Socket): Promise<SocketPair | { readonly notMade: string }> {
  return new Promise((resolve, reject) => {
    server.once("connection", (theirs) => resolve({ ours, theirs }));
    ours.once("error", reject);
    // Node takes a connection for which there is no descriptor left, and lets it go without a word.
    ours.once("close", () => resolve({ notMade: "EMFILE: too many open files" }));
  });
}
