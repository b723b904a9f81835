import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { addAttempt, addJob, endJob } from "../../../../test/support/api-jobs.ts";
import { startApiStage } from "../../../../test/support/api-stage.ts";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import { pack } from "../../../payload/pack.ts";
import { makeRecordingEnd, makeRecordingFrame, makeRecordingStart } from "../../../wire/recording.ts";
import { makeLoginToken } from "../../accounts/login-token.ts";

const folder = useTempFolder();
const HOUR_MS = 3_600_000;

/** A job of three cases that has ended: the first with a recording, the second with one that is gone, the third with none. */
async function startWithVideos(recording: Buffer, trustProxy = false) {
  const file = join(folder(), "one");
  writeFileSync(file, recording);
  const findRecording = (name: string) => (name === "one" ? file : undefined);
  const stage = await startApiStage(folder(), { findRecording, config: { trustProxy } });
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

async function makeRecording(): Promise<Buffer> {
  const created = { width: 16, height: 16, channels: 3, background: "red" } as const;
  const picture = await sharp({ create: created }).jpeg().toBuffer();
  const facts = { caseId: 1, jobUuid: null, board: null, task: "pick", index: 0, seed: 0, agentId: null };
  const sid = Buffer.from("s");
  const head = { encoding: "JPEG", image_data: picture };
  const payload = pack({ method: "infer", params: { images: { head } } });
  return Buffer.concat([
    makeRecordingStart({ ...facts, sessionId: "s", startedAt: "2026-11-29T12:00:00.000Z" }),
    makeRecordingFrame({ type: "observation", timeUs: 0, sid, payload }),
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
  state.now = new Date(state.now.getTime() + 8 * HOUR_MS);
  expect((await call("GET", pathname + search)).status).toBe(403);
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
  const { call, end, readHead, state } = await startWithVideos(Buffer.from("no recording"));
  end();
  const { pathname, search } = await readHead();
  const { status, body, text } = await call("GET", pathname + search);
  expect([status, body]).toEqual([404, { status: "error", error: "there is no video in this recording" }]);
  expect(text).not.toContain(folder());
  expect(state.faults).toHaveLength(1);
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
  const { ask, end } = await startWithVideos(await makeRecording(), trustProxy);
  end();
  const { episodes } = await ask({ "x-forwarded-host": "challenge.example", "x-forwarded-proto": "https" });
  expect(episodes[0].head.slice(0, start.length)).toBe(start);
});
