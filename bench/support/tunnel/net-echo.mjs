// A TCP server that sends back what comes, by a pipe.
import { once } from "node:events";
import { createServer } from "node:net";
import { announce } from "./processes.mjs";

const server = createServer({ noDelay: true }, (socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
await once(server, "listening");
announce({ port: server.address().port });
