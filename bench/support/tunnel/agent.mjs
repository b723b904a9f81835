// An agent whose replies are made in its own process. Usage: agent.mjs TUNNEL_URL JOB_UUID, the token in JOB_TOKEN.
import { startAgent } from "../../../dist/agent.js";
import { cutReply } from "./frames.mjs";

const [gatewayUrl, jobUuid] = process.argv.slice(2);
const nothing = async () => undefined;
const handler = {
  load: nothing,
  open: nothing,
  close: nothing,
  stop: nothing,
  handle: async (_sid, frame) => cutReply(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)),
};
const onLog = ({ level, text }) => level !== "info" && console.error(`agent: ${text}`);
const agent = startAgent({
  gatewayUrl,
  jobUuid,
  token: process.env.JOB_TOKEN,
  payload: "opaque",
  handler,
  onLog,
});
const { outcome } = await agent.ended;
process.exitCode = outcome === "drained" ? 0 : 1;
