import type { WebSocket } from "ws";

/** The status of a refused upgrade with its body, or how the connection ended. */
export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
  readonly body?: string;
}

/** Returns when the upgrade was answered, with whatever. `closed` never rejects. */
export async function watchSocket(webSocket: WebSocket): Promise<{ closed: Promise<SocketEnd> }> {
  const closed = new Promise<SocketEnd>((resolve) => {
    webSocket.on("unexpected-response", (_, response) => {
      response.setEncoding("utf8");
      let body = "";
      response.on("data", (text) => {
        body += text;
      });
      response.on("close", () => resolve({ code: response.statusCode ?? 0, reason: "", body }));
    });
    webSocket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    webSocket.on("error", () => undefined); // told by `close`
  });
  await Promise.race([closed, new Promise((resolve) => webSocket.once("open", resolve))]);
  return { closed };
}
