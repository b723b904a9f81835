import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startApiStage } from "../support/api-stage.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const json = "Content-Type: application/json\r\n";
const chunked = "Transfer-Encoding: chunked\r\n";

/** The API, and who sends it a request with a login, as it stands; resolves with the first line of the answer. */
async function startWithCaller() {
  const stage = await startApiStage(folder());
  const { token } = await stage.addUser();
  const send = (path: string, headers: string, body: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(stage.port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.once("data", (data) => resolve(data.toString("latin1").split("\r\n", 1)[0] as string));
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n${body}`,
      );
    });
  return { ...stage, send };
}

it.each(["/api/challenge/login", "/api/challenge/job", "/api/simulator/case/1/score", "/api/nothing"])(
  "a body at %s that is no HTTP is 400, and no fault of the gateway",
  async (path) => {
    const { send, get, state } = await startWithCaller();
    for (const body of ["ZZ\r\n", "ZZ\r\n{}\r\n0\r\n\r\n", "2\r\n{}\r\nZZ\r\n", "-1\r\n"]) {
      expect(await send(path, json + chunked, body)).toMatch(/^HTTP\/1\.1 (400|401|404) /);
      await send(path, chunked, body);
    }
    expect((await get("/api/openapi.json")).status).toBe(200);
    expect(state.faults).toEqual([]);
  },
);

it.each(["text/plain", "text/html", "multipart/form-data", "x/y"])(
  "a body of %s is 415 wherever one is read",
  async (type) => {
    const { send, state } = await startWithCaller();
    for (const path of ["/api/challenge/login", "/api/challenge/job"]) {
      const answer = await send(path, `Content-Type: ${type}\r\nContent-Length: 2\r\n`, "{}");
      expect(answer).toBe("HTTP/1.1 415 Unsupported Media Type");
    }
    expect(state.faults).toEqual([]);
  },
);
