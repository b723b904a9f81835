import { once } from "node:events";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import { addAttempt, addJob, endJob } from "../../../../test/support/api-jobs.ts";
import { startApiStage } from "../../../../test/support/api-stage.ts";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";
import { pack } from "../../../payload/pack.ts";
import { makeRecordingEnd, makeRecordingFrame, makeRecordingStart } from "../../../wire/recording.ts";
import { makeLoginToken } from "../../accounts/login-token.ts";
import type { GatewayConfig } from "../../config/gateway-config.ts";
import { sealLink } from "../signed-link.ts";

const folder = useTempFolder();
const HOUR_MS = 3_600_000;

/** A job of three cases that has ended: the first with a recording, the second with one that is gone, the third with none. */
async function startWithVideos(recording: Buffer, config: Partial<GatewayConfig> = {}) {
  const file = join(folder(), "one");
  writeFileSync(file, recording);
  const findRecording = (name: string) => (name === "one" ? file : undefined);
  const stage = await startApiStage(folder(), { findRecording, config });
  const user = await stage.addUser();
  const id = addJob(stage, user.id, { scores: { pick: [0.5, null], place: [0] } });
  addAttempt(stage, id, { reason: "tunnel_lost", recording: "lost" });
  const uuids = [
    addAttempt(stage, id, { case: 0, reason: "none", recording: "one" }),
    addAttempt(stage, id, { case: 1, reason: "none", recording: "gone" }),
    addAttempt(stage, id, { case: 2, reason: "none" }),
  ];
  const ask = async (headers: Record<string, string> = {}) => {
    const token = await makeLoginToken(stage.host.signingKey, user, stage.state.now);
    return (await stage.call("GET", `/api/challenge/job/${id}/episodes/videos`, { token, headers })).body;
  };
  const end = () => endJob(stage, id, 2, 0.25);
  const readHead = async () => new URL((await ask()).episodes[0].head);
  return { ...stage, id, uuids, ask, end, readHead };
}

async function makeRecording(
  kind: "small" | "large" | "opaque" = "small",
  observations = 1,
): Promise<Buffer> {
  const created = { width: 16, height: 16, channels: 3, background: "red" } as const;
  const picture = await sharp({ create: created }).jpeg().toBuffer();
  const facts = { caseId: 1, jobUuid: null, board: null, task: "pick", index: 0, seed: 0, agentId: null };
  const sid = Buffer.from("s");
  const padded = kind === "large" ? Buffer.concat([picture, Buffer.alloc(1_000_000)]) : picture;
  const head = { encoding: "JPEG", image_data: padded };
  const shown = pack({ method: "infer", params: { images: { head } } });
  const payload = kind === "opaque" ? Buffer.from("opaque") : shown;
  return Buffer.concat([
    makeRecordingStart({ ...facts, sessionId: "s", startedAt: "2026-11-29T12:00:00.000Z" }),
    ...Array.from({ length: observations }, (_, step) =>
      makeRecordingFrame({ type: "observation", timeUs: step, sid, payload }),
    ),
    makeRecordingEnd(9, sid, { score: 1, steps: 1, detail: null }),
  ]);
}

test("the videos of a job come with its end, and go after 72 hours", async () => {
  const { ask, end, id, uuids, state, port } = await startWithVideos(await makeRecording());
  expect(await ask()).toEqual({ job_id: id, status: 2, expires_in: 28_800, episodes: [] });
  end();
  const head = expect.stringMatching(
    `^http://127\\.0\\.0\\.1:${port}/api/challenge/episode/${uuids[0]}/head\\?expires=\\d+&signature=[0-9a-f]{64}$`,
  );
  expect(await ask()).toEqual({
    ...{ job_id: id, status: 0, expires_in: 28_800 },
    episodes: [
      { task_name: "pick", episode_uuid: uuids[0], task_id: 1, case_id: 1, score: 0.5, head },
      { task_name: "pick", episode_uuid: uuids[1], task_id: 1, case_id: 2, score: null, head: null },
      { task_name: "place", episode_uuid: uuids[2], task_id: 2, case_id: 3, score: 0, head: null },
    ],
  });
  state.now = new Date(state.now.getTime() + 72 * HOUR_MS);
  expect((await ask()).status).toBe(0);
  state.now = new Date(state.now.getTime() + 1);
  expect(await ask()).toMatchObject({ status: 1, episodes: [] });
});

test("a link gives the video to anybody, for eight hours", async () => {
  const { call, end, readHead, state } = await startWithVideos(await makeRecording());
  end();
  const { pathname, search } = await readHead();
  const { status, headers, text } = await call("GET", pathname + search);
  expect([status, headers["content-type"], text.slice(0, 4)]).toEqual([200, "video/x-msvideo", "RIFF"]);
  expect(headers["content-disposition"]).toMatch(/^attachment; filename="episode-[\w-]+\.avi"$/);
  const head = await call("HEAD", pathname + search);
  expect([head.status, head.text, head.headers["content-type"]]).toEqual([200, "", "video/x-msvideo"]);
  expect(head.headers["content-disposition"]).toBe(headers["content-disposition"]);
  state.now = new Date(state.now.getTime() + 8 * HOUR_MS);
  expect((await call("GET", pathname + search)).status).toBe(403);
});

test("a video that was sent makes room for the next one", async () => {
  const { call, end, readHead } = await startWithVideos(await makeRecording());
  end();
  const { pathname, search } = await readHead();
  for (let sent = 0; sent < 6; sent += 1) expect((await call("GET", pathname + search)).status).toBe(200);
});

test("a link that was changed opens nothing", async () => {
  const { call, end, readHead, uuids, state } = await startWithVideos(await makeRecording());
  end();
  const { pathname, search, searchParams } = await readHead();
  const signature = searchParams.get("signature") ?? "";
  const expires = Number(searchParams.get("expires"));
  const seal = (changed: object) =>
    `?${new URLSearchParams({ expires: String(expires), signature, ...changed })}`;
  const answers = await Promise.all([
    call("GET", `/api/challenge/episode/${uuids[1]}/head${search}`),
    call("GET", `/api/challenge/episode/..%2f..%2fetc%2fpasswd/head${search}`),
    call("GET", pathname + seal({ expires: String(expires + 1) })),
    call("GET", pathname + seal({ signature: signature.replace(/./g, "0") })),
    call("GET", pathname + seal({ signature: "short" })),
    call("GET", pathname),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 400, 400]);
  expect(state.faults).toEqual([]);
});

test("a recording that is damaged is 404 for the client, and told to the organiser", async () => {
  const { call, end, ask, uuids, host, state } = await startWithVideos(Buffer.from("no recording"));
  end();
  expect([(await ask()).episodes[0].head, (await ask()).episodes[0].head]).toEqual([null, null]);
  expect(state.faults).toHaveLength(1);
  const { expires, signature } = sealLink(host.signingKey, uuids[0] as string, state.now);
  const path = `/api/challenge/episode/${uuids[0]}/head?expires=${expires}&signature=${signature}`;
  const { status, body, text } = await call("GET", path);
  expect([status, body]).toEqual([404, { status: "error", error: "there is no video in this recording" }]);
  expect((await call("HEAD", path)).status).toBe(404);
  expect(text).not.toContain(folder());
  expect(state.faults).toHaveLength(3);
});

test("a recording without pictures has no link, and its video is nobody's fault", async () => {
  const { call, end, ask, uuids, host, state } = await startWithVideos(await makeRecording("opaque"));
  end();
  expect((await ask()).episodes[0].head).toBeNull();
  const { expires, signature } = sealLink(host.signingKey, uuids[0] as string, state.now);
  const path = `/api/challenge/episode/${uuids[0]}/head?expires=${expires}&signature=${signature}`;
  expect([(await call("GET", path)).status, (await call("HEAD", path)).status]).toEqual([404, 404]);
  expect(state.faults).toEqual([]);
});

test.each([["a b"], ["x/../y"], ["<script>"]])("a Host header of %j is in no link", async (host) => {
  const { ask, end } = await startWithVideos(await makeRecording());
  end();
  expect((await ask({ host })).episodes[0].head).toMatch(/^\/api\/challenge\/episode\//);
});

test.each([
  [true, "https://challenge.example/api/"],
  [false, "http://127.0.0.1:"],
])("where a proxy is trusted (%s) a link begins with %s", async (trustProxy, start) => {
  const { ask, end } = await startWithVideos(await makeRecording(), { trustProxy });
  end();
  const { episodes } = await ask({ "x-forwarded-host": "challenge.example", "x-forwarded-proto": "https" });
  expect(episodes[0].head.slice(0, start.length)).toBe(start);
});

test.each([
  [
    "wss://challenge.example.org/api/challenge/tunnel",
    "https://challenge.example.org/api/challenge/episode/",
  ],
  ["ws://gateway.lan:8443/tunnel", "http://gateway.lan:8443/api/challenge/episode/"],
])("where agents are told to dial %s links begin with %s", async (publicUrl, start) => {
  const { ask, end } = await startWithVideos(await makeRecording(), { publicUrl });
  end();
  expect((await ask()).episodes[0].head.slice(0, start.length)).toBe(start);
});

describe("a long video", () => {
  /** More than the sockets of this machine take in, so that whoever does not read holds it up. */
  const startLong = async () => {
    const stage = await startWithVideos(await makeRecording("large", 40));
    stage.end();
    const { pathname, search } = await stage.readHead();
    const begin = async () => {
      const socket = connect(stage.port, "127.0.0.1");
      socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const [head] = await once(socket, "data");
      socket.pause();
      onTestFinished(() => void socket.destroy());
      return { socket, status: Number(head.toString().slice(9, 12)), head: head.toString() };
    };
    return { ...stage, begin };
  };
  const file = () => join(folder(), "one");
  const countOpen = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === file();
      } catch {
        return false; // closed meanwhile
      }
    }).length;

  test("is made for four at once; the fifth is told to come again, and has its turn once one has left", async () => {
    const { begin, state } = await startLong();
    const first = await Promise.all(Array.from({ length: 4 }, begin));
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const fifth = await begin();
    expect(fifth.status).toBe(503);
    expect(fifth.head).toMatch(/retry-after: 5/i);
    // One may be between its survey and its first picture.
    await waitFor(() => countOpen() === 4, { what: "four open files" });
    first[0]?.socket.destroy();
    await waitFor(async () => (await begin()).status === 200, { what: "a turn" });
    expect(state.faults).toEqual([]);
  });

  test("is made no further for a client that left, be it before its first byte", async () => {
    const { begin, state, port, readHead } = await startLong();
    const { pathname, search } = await readHead();
    const begun = await begin();
    const early = connect(port, "127.0.0.1");
    early.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await waitFor(() => countOpen() >= 2, { what: "a survey", intervalMs: 1 });
    early.destroy();
    begun.socket.destroy();
    await waitFor(() => countOpen() === 0, { what: "closed files" });
    expect(state.faults).toEqual([]);
  });
});
