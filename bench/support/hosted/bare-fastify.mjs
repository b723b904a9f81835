// A Fastify server with one route that answers with a small document: what an API on it can at best do.
import Fastify from "fastify";
import { announce } from "../tunnel/processes.mjs";

const schema = {
  response: {
    200: {
      type: "object",
      properties: { name: { type: "string" }, max_concurrent_cases: { type: "integer" } },
    },
  },
};
const app = Fastify();
app.get("/bare", { schema }, async () => ({ name: "bench", max_concurrent_cases: 4 }));
const url = await app.listen({ host: "127.0.0.1", port: 0 });
announce({ url });
