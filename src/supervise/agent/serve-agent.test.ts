import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeFakeGpus } from "../../../test/support/fake-gpus.ts";
import { findOwnProcesses } from "../../../test/support/own-processes.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { makeErrorDocument } from "../../base/error.ts";
import { serveAgent } from "./serve-agent.ts";

const folder = useTempFolder();
const JOB = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";

describe("an agent that is interrupted", () => {
  it("in the import of its handler says so, and is over when nothing of it is left", async () => {
    const said: string[] = [];
    const begun = join(folder(), "begun");
    const text = `import signal, time\nsignal.signal(15, lambda *_: 0)\nopen(${JSON.stringify(begun)}, "w")\ntime.sleep(300)\n`;
    writeFileSync(join(folder(), "handler.py"), text);
    const interrupt = new AbortController();
    const ended = serveAgent(
      {
        handler: "handler.py:handle",
        jobUuid: JOB,
        gatewayUrl: "ws://127.0.0.1:1/",
        accessToken: "t",
        gpu: "0",
      },
      {
        env: { ...process.env, HOME: folder(), ...makeFakeGpus(folder(), { gpus: [{}] }).env },
        cwd: folder(),
        interrupted: interrupt.signal,
        onLog: ({ text }) => said.push(text),
        onEvent: () => undefined,
      },
    ).then(
      () => "no fault",
      () => findOwnProcesses().map(({ command }) => command),
    );
    await waitFor(() => existsSync(begun), { what: "the import" });
    interrupt.abort();
    expect(await ended).toEqual([]);
    expect(said.at(-1)).toMatch(/warning: interrupted while the handler was imported$/);
  });
});

describe("what an agent says", () => {
  /** A gateway that takes no token and quotes all that it was sent. */
  async function serveEcho(): Promise<number> {
    const server = createServer((request, response) => {
      const isRefresh = request.url?.endsWith("/refresh");
      response.end(JSON.stringify(isRefresh ? { token: "new.token.jwt" } : {}));
    });
    server.on("upgrade", ({ headers, url }, socket) => {
      const body = `refused: ${headers.authorization} at ${url}; other-token pass-word`;
      socket.end(`HTTP/1.1 401 No\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  it("holds no secret that it knows, whoever said it first", async () => {
    const port = await serveEcho();
    writeFileSync(join(folder(), "handler.py"), "def handle(session_id, frame): return frame\n");
    const said: string[] = [];
    const end = await serveAgent(
      {
        ...{ handler: "handler.py:handle", jobUuid: JOB, gpu: "cpu", events: "events.jsonl" },
        gatewayUrl: `ws://127.0.0.1:${port}/tunnel?key=query-secret`,
      },
      {
        env: {
          ...process.env,
          ...{
            HOME: folder(),
            JOB_UUID: "another",
            JOB_TOKEN: "other-token",
            CHALLENGE_PASSWORD: "pass-word",
          },
          ...{ CHALLENGE_TOKEN: "old.token.jwt", SORTIE_CHALLENGE_URL: `http://127.0.0.1:${port}` },
        },
        cwd: folder(),
        interrupted: new AbortController().signal,
        onLog: ({ text }) => said.push(text),
        onEvent: (event) => said.push(JSON.stringify(event)),
      },
    );
    expect(end).toMatchObject({ outcome: "failed", error: { code: "tunnel_unauthorized" } });
    const all = [
      ...said,
      JSON.stringify(end.error && makeErrorDocument(end.error)),
      readFileSync(join(folder(), "events.jsonl"), "utf8"),
    ].join("\n");
    expect(all).toContain("refreshed the login token");
    expect(all).toContain("refused: Bearer [token]");
    for (const secret of ["old.token.jwt", "new.token.jwt", "other-token", "pass-word", "query-secret"])
      expect(all).not.toContain(secret);
  });
});
