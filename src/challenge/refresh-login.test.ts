import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { refreshLogin } from "./refresh-login.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A server on a free port; answers its address. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  ends.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a refresh", () => {
  it("asks once, with the old token, for a new one", async () => {
    const calls: unknown[] = [];
    const url = await serve((request, reply) => {
      calls.push([request.method, request.url, request.headers.authorization]);
      reply.end('{"token":"new.token.here"}');
    });
    expect(await refreshLogin(`${url}/`, "old")).toEqual({ token: "new.token.here" });
    expect(calls).toEqual([["GET", "/api/challenge/login/refresh", "Bearer old"]]);
  });

  it.each([
    ["null", 200, '{"token":null}'],
    ["an empty one", 200, '{"token":""}'],
    ["one that no header can hold", 200, '{"token":"a\\nb"}'],
    ["a page", 200, "<html>hello</html>"],
    ["half a document", 200, '{"token":"a.b'],
    ["a refusal", 401, '{"status":"error"}'],
    ["an endless answer", 200, `{"token":"${"x".repeat(100_000)}"}`],
  ])("gives no token for %s", async (_, status, body) => {
    const url = await serve((_request, reply) => reply.writeHead(status).end(body));
    const refreshed = await refreshLogin(url, "old");
    expect(refreshed.token).toBeUndefined();
    expect(refreshed.fault).toMatch(/127\.0\.0\.1/);
  });

  it.each([
    [502, true],
    [429, true],
    [401, false],
    [404, false],
  ])("tells by %i whether to ask again", async (status, isPassing) => {
    const url = await serve((_request, reply) => reply.writeHead(status).end());
    expect(await refreshLogin(url, "old")).toMatchObject({ isPassing });
    expect(await refreshLogin("http://127.0.0.1:1", "old")).toMatchObject({ isPassing: true });
  });

  it.each(["http://me:pass-word@127.0.0.1:1", "127.0.0.1:1", "ftp://127.0.0.1", "http://me:pass/word@h"])(
    "does not ask %s, and repeats no password",
    async (url) => {
      const refreshed = await refreshLogin(url, "old");
      expect(refreshed).toMatchObject({ isPassing: false });
      expect(refreshed.fault).toMatch(/^(?!.*(pass|word)).* is no http/);
    },
  );

  it("does not follow to another host", async () => {
    let isAsked = false;
    const other = await serve((_request, reply) => {
      isAsked = true;
      reply.end('{"token":"stolen"}');
    });
    const url = await serve((_request, reply) => reply.writeHead(302, { location: other }).end());
    expect((await refreshLogin(url, "old")).fault).toContain("is another server");
    expect(isAsked).toBe(false);
  });

  it("says why nobody answered", async () => {
    const url = await serve((request) => request.socket.destroy());
    expect((await refreshLogin(url, "old")).fault).toMatch(/could not be asked: (?!fetch failed)/);
  });
});
