import { IncomingMessage } from "node:http";

/**
 * A request that is an upgrade only where it asks for a WebSocket: Node.js takes every `Upgrade` header for one, as soon as
 * somebody listens for upgrades, and an offer of HTTP/2 (`h2c`), which curl and Java make, would be answered by no API.
 */
export class GatewayRequest extends IncomingMessage {
  declare isUpgradeAsked: boolean | undefined;

  /** Read by Node.js once the headers are there. */
  get upgrade(): boolean {
    return this.isUpgradeAsked === true && /^websocket$/i.test(this.headers.upgrade ?? "");
  }

  set upgrade(isAsked: boolean) {
    this.isUpgradeAsked = isAsked;
  }
}
