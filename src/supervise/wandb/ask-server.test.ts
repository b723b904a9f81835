import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { askServer } from "./ask-server.ts";

const KEY = "5e47111e15e47111e15e47111e15e47111e15e47";

async function serve(message: string): Promise<string> {
  const server = createServer((_, response) => response.end(JSON.stringify({ errors: [{ message }] })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("tells the start of what the server says, and no part of the key", async () => {
  const url = await serve(`${"no ".repeat(95)}${KEY}`);
  const asked = askServer({ url, key: { key: KEY, source: "netrc" } }, "query Run { run }", {});
  await expect(asked).rejects.toMatchObject({
    ...{ code: "wandb_away", message: expect.not.stringContaining(KEY.slice(0, 8)) },
    details: { reason: expect.stringMatching(/^no no /) },
  });
});
