import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type OnReadOpts, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Two ends of one connection. `theirs` is made to be handed to a child, then destroyed here. */
export interface SocketPair {
  readonly ours: Socket;
  readonly theirs: Socket;
}

/**
 * Connects two sockets. Unlike the pipes that Node makes for a child, our end reads into memory of the caller's choice
 * (`onread`), which spares a copy of all that comes. The folder of the socket is ours alone, and is gone again after it.
 */
export async function makeSocketPair(onread: OnReadOpts): Promise<SocketPair> {
  const folder = await mkdtemp(join(chooseTempFolder(), "sortie-"));
  const server = createServer({ pauseOnConnect: true });
  try {
    const path = join(folder, "s");
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
    return await joinEnds(server, connect({ path, onread }));
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The path of a socket has room for 103 bytes on some systems. */
function chooseTempFolder(): string {
  return Buffer.byteLength(tmpdir()) <= 80 ? tmpdir() : "/tmp";
}

function joinEnds(server: ReturnType<typeof createServer>, ours: Socket): Promise<SocketPair> {
  return new Promise((resolve, reject) => {
    server.once("connection", (theirs) => resolve({ ours, theirs }));
    ours.once("error", reject);
  });
}
