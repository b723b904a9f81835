import type { Server } from "node:http";
import { describeFault, SortieError } from "../base/error.ts";

export interface ListenPlace {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
}

/**
 * Resolves when the server listens. From then on its faults go to `onFault`: a connection that could not be accepted, as
 * where files run out, is no end of the others. @throws SortieError `port_taken`, `listen_failed`
 */
export async function listen(
  server: Server,
  { host, port }: ListenPlace,
  onFault: (fault: Error) => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  }).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === "EADDRINUSE") throw new SortieError("port_taken", { host, port }, fault);
    throw new SortieError("listen_failed", { host, port, reason: describeFault(fault) }, fault);
  });
  server.on("error", onFault);
}
