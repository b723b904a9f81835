import { randomFillSync } from "node:crypto";
import { request } from "node:https";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { insertSimulatorKey } from "../../src/gateway/records/simulator-keys.ts";
import { pack } from "../../src/payload/pack.ts";
import { makeAction } from "../support/actions.ts";
import { makeEchoBoard, PASSWORD, useChallenge } from "../support/challenge.ts";
import { useContestant } from "../support/contestant.ts";
import {
  findFreePort,
  hasNginx,
  makeCertificate,
  readDocumentedConfig,
  startNginx,
} from "../support/nginx.ts";
import { dialRaw } from "../support/raw-agent.ts";
import { SORTIE } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const MIB = 1024 * 1024;
const TUNNEL = "/api/challenge/tunnel";
const POLICY = "/api/simulator/policy/corobot";
const ECHO = "def handle(session_id, frame):\n    return frame\n";

const hosted = useChallenge();
const contestant = useContestant();

describe.skipIf(!hasNginx())("behind the nginx of docs/hosting.md, with TLS", () => {
  it("an agent plays a session of large frames for a simulator from outside, and the score counts", async () => {
    const site = await startSite();
    await hosted.addUser();
    const { key } = insertSimulatorKey(hosted.openRecords(), "kitchen", new Date());
    const { token } = (
      await site.post("/api/challenge/login", { email: "ann@example.org", password: PASSWORD })
    ).body;
    const login = { Authorization: `Bearer ${token}` };
    const config = { board: "kitchen", model_name: "m" };
    const job = (await site.post("/api/challenge/job", { name: "j", config }, login)).body;
    expect(job.tunnel_endpoint).toBe(`wss://127.0.0.1:${site.port}${TUNNEL}`);

    const handler = `${contestant.writeScript("my_handler.py", ECHO)}:handle`;
    const call = [
      "agent",
      "--job-uuid",
      job.uuid,
      "--gateway-url",
      job.tunnel_endpoint,
      "--handler",
      handler,
    ];
    const agent = contestant.start([SORTIE, ...call, "--gpu", "cpu", "--payload", "opaque"], {
      env: { JOB_TOKEN: job.job_token, NODE_EXTRA_CA_CERTS: site.certificate.file },
    });
    const simulator = await site.dialSimulator(key);
    for (const bytes of [85_000, 16 * MIB, 48 * MIB, 85_000]) {
      const observation = randomFillSync(Buffer.alloc(bytes));
      expect(
        (await simulator.ask(observation)).equals(observation),
        `${bytes} bytes, ${agent.output()}`,
      ).toBe(true);
    }
    const own = { Authorization: `Api-Key ${key}` };
    expect((await site.post("/api/simulator/case/1/score", { score: 0.75 }, own)).status).toBe(200);
    simulator.close();
    expect((await agent.ended).exitCode, agent.output()).toBe(0);
    const jobs = (await site.get("/api/challenge/jobs", login)).body;
    expect(jobs.items[0]).toMatchObject({ id: job.id, status: 2 });
  });

  it("the limit on logins counts the client's address, whatever it says of itself", async () => {
    const site = await startSite({ logins_per_minute: 3 });
    await hosted.addUser();
    const tryOut = (localAddress: string, number: number) =>
      site.post(
        "/api/challenge/login",
        { email: `nobody-${number}@example.org`, password: "x" },
        { "X-Forwarded-For": `203.0.113.${number}` },
        localAddress,
      );
    const statuses = [];
    for (let number = 0; number < 4; number += 1) statuses.push((await tryOut("127.0.0.2", number)).status);
    expect(statuses.slice(0, 3)).not.toContain(429);
    expect(statuses[3]).toBe(429);
    expect((await tryOut("127.0.0.3", 9)).status).not.toBe(429);
  });

  it("links to videos are https, with the port, whatever a client says of its own way", async () => {
    const site = await startSite({
      boards: { instruction: makeEchoBoard(1) },
      recordings: { folder: "data/recordings", max_size: "1GB" },
    });
    await hosted.addUser();
    const credentials = { email: "ann@example.org", password: PASSWORD };
    const { token } = (await site.post("/api/challenge/login", credentials)).body;
    const login = { Authorization: `Bearer ${token}` };
    const config = { board: "instruction", model_name: "m" };
    const job = (await site.post("/api/challenge/job", { name: "j", config }, login)).body;
    const tunnelUrl = `${site.api.replace("http", "ws")}${TUNNEL}`;
    const agent = await dialRaw({ tunnelUrl }, { uuid: job.uuid, token: job.job_token });
    agent.serve(() => pack(makeAction()));
    await agent.closed;

    const made = {
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-Proto": "http",
      Forwarded: "host=evil.example",
    };
    const list = `/api/challenge/job/${job.id}/episodes/videos`;
    const head = await waitFor(
      async () => (await site.get(list, { ...login, ...made })).body.episodes[0]?.head,
    );
    const link = new URL(head);
    expect(link.origin).toBe(`https://127.0.0.1:${site.port}`);
    expect((await site.get(`${link.pathname}${link.search}`)).status).toBe(200);
  });

  it("what is for programs on this machine stays there; the health is everybody's", async () => {
    const site = await startSite({}, true);
    expect((await site.get("/healthz")).body).toMatchObject({ status: "ok" });
    expect((await site.get("/metrics")).status).toBe(404);
    expect((await fetch(`${site.api}/metrics`)).status).toBe(200);
    await expect(site.dialSimulator()).rejects.toThrow("401");
    expect((await site.post("/api/challenge/job", { name: "x".repeat(2 * MIB) })).status).toBe(413);
  });
});

/** A hosted challenge with one board for simulators from outside, and nginx before it. Both end with the test. */
async function startSite(values: Record<string, unknown> = {}, openSimulators = false) {
  const port = await findFreePort();
  const certificate = makeCertificate(contestant.temp());
  const challenge = await hosted.host(
    {
      boards: {
        kitchen: { simulator: "outside", payload: "opaque", tasks: { open: { cases: 1, seed: 1 } } },
      },
      ...{ public_url: `wss://127.0.0.1:${port}${TUNNEL}`, trust_proxy: true, recordings: "off", ...values },
    },
    { openSimulators },
  );
  const gateway = Number(new URL(challenge.apiUrl).port);
  await startNginx(contestant.temp(), port, readDocumentedConfig({ nginx: port, gateway }));
  const call = (method: string, path: string, options: CallOptions = {}) =>
    callServer({ method, path, port, ca: certificate.text, ...options });
  return {
    port,
    certificate,
    api: challenge.apiUrl,
    get: (path: string, headers?: Headers) => call("GET", path, { headers }),
    post: (path: string, body: unknown, headers?: Headers, localAddress?: string) =>
      call("POST", path, { body, headers, localAddress }),
    dialSimulator: async (key?: string) => {
      const headers = key === undefined ? {} : { Authorization: `Api-Key ${key}` };
      const address = `wss://127.0.0.1:${port}${POLICY}`;
      const webSocket = new WebSocket(address, { ca: certificate.text, headers, perMessageDeflate: false });
      onTestFinished(() => webSocket.terminate());
      await new Promise((resolve, reject) => webSocket.once("open", resolve).once("error", reject));
      return {
        ask: (observation: Buffer) =>
          new Promise<Buffer>((resolve, reject) => {
            webSocket
              .once("message", resolve)
              .once("close", (code) => reject(new Error(`closed with ${code}`)));
            webSocket.send(observation);
          }),
        close: () => webSocket.close(1000),
      };
    },
  };
}

type Headers = Readonly<Record<string, string>>;

interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Headers;
  /** The address that the call comes from: all of 127 is this machine. */
  readonly localAddress?: string;
}

function callServer(to: { method: string; path: string; port: number; ca: string } & CallOptions) {
  const { body, headers, ...options } = to;
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies freely; their shape is what they check
  return new Promise<{ status: number; body: any }>((resolve, reject) => {
    const json = { "Content-Type": "application/json", ...headers };
    const sent = request({ host: "127.0.0.1", agent: false, headers: json, ...options }, async (response) => {
      let text = "";
      for await (const part of response) text += part;
      const isJson = response.headers["content-type"]?.startsWith("application/json");
      resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text });
    });
    sent.once("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
