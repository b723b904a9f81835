import { Type } from "@sinclair/typebox";
import type { FastifyRequest } from "fastify";
import { SortieError } from "../../../base/error.ts";
import { type HeadVideo, openHeadVideo } from "../../recording/head-video.ts";
import { type EpisodeRow, findEpisode, listEpisodes } from "../../records/episodes.ts";
import type { JobRow } from "../../records/jobs.ts";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { type LoginGate, loginSecurity } from "../login-gate.ts";
import { orNull } from "../or-null.ts";
import { describeJobRefusals, findOwnJob, jobPath } from "../own-job.ts";
import { describeRefusals, Refusal } from "../refusal.ts";
import { isSealGood, LINK_LIFE_S, sealLink } from "../signed-link.ts";

/** How long after its end a job's videos are to be had. */
const SHOWN_MS = 72 * 3_600_000;

const videosStatus = { ok: 0, past: 1, unfinished: 2 } as const;

const Videos = Type.Object({
  job_id: Type.Integer(),
  status: Type.Integer({ description: "0 ok, 1 more than 72 h after the end, 2 the job has not ended." }),
  expires_in: Type.Integer({ description: "Seconds for which the links are good." }),
  episodes: Type.Array(
    Type.Object({
      task_name: Type.String(),
      episode_uuid: Type.String(),
      task_id: Type.Integer(),
      case_id: Type.Integer(),
      score: orNull(Type.Number()),
      head: orNull(Type.String({ description: "The video of the head camera; null: it was not kept." })),
    }),
  ),
});

const Seal = Type.Object({
  expires: Type.Integer({ minimum: 0 }),
  signature: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});

export function addEpisodeRoutes(app: ApiServer, host: ApiHost, gate: LoginGate): void {
  addVideos(app, host, gate);
  addHead(app, host);
}

function addVideos(app: ApiServer, host: ApiHost, gate: LoginGate): void {
  const schema = {
    summary: "Links to the videos of a job that has ended.",
    security: loginSecurity,
    params: jobPath,
    response: { 200: Videos, ...describeJobRefusals(host) },
  };
  app.get("/api/challenge/job/:id/episodes/videos", { schema, onRequest: gate }, async (request) => {
    const job = findOwnJob(host, request, request.params.id);
    const status = judgeVideos(job, host.clock.now());
    const rows = status === videosStatus.ok ? listEpisodes(host.records, job.id) : [];
    const episodes = rows.map((row) => ({
      ...{ task_name: row.task, episode_uuid: row.uuid, task_id: row.taskId, case_id: row.caseId },
      ...{ score: row.score, head: makeHeadLink(host, request, row) },
    }));
    return { job_id: job.id, status, expires_in: LINK_LIFE_S, episodes };
  });
}

function judgeVideos({ endedAt }: JobRow, now: Date): number {
  if (endedAt === null) return videosStatus.unfinished;
  return now.getTime() - Date.parse(endedAt) > SHOWN_MS ? videosStatus.past : videosStatus.ok;
}

function makeHeadLink(
  host: ApiHost,
  request: FastifyRequest,
  { uuid, recording }: EpisodeRow,
): string | null {
  if (recording === null || host.findRecording(recording) === undefined) return null;
  const { expires, signature } = sealLink(host.signingKey, uuid, host.clock.now());
  return `${findBase(request)}/api/challenge/episode/${uuid}/head?expires=${expires}&signature=${signature}`;
}

/**
 * As the client called it, which behind a proxy that is trusted the proxy says; without a host that can be one, the link is
 * one on this server.
 */
function findBase({ protocol, host }: FastifyRequest): string {
  const scheme = protocol === "https" ? "https" : "http";
  return /^[\w.:[\]-]+$/.test(host) ? `${scheme}://${host}` : "";
}

function addHead(app: ApiServer, host: ApiHost): void {
  const schema = {
    summary: "The video of the head camera in an episode, by a link from the list of videos.",
    params: Type.Object({ episode_uuid: Type.String() }),
    querystring: Seal,
    produces: ["video/*"],
    response: {
      200: { description: "A video.", content: { "video/*": { schema: Type.Unknown() } } },
      ...describeRefusals(400, 403, 404),
    },
  };
  app.get("/api/challenge/episode/:episode_uuid/head", { schema }, async (request, reply) => {
    const uuid = request.params.episode_uuid;
    if (!isSealGood(host.signingKey, uuid, request.query, host.clock.now()))
      throw new Refusal(403, "the link is none of this gateway's, or has expired: ask for the videos again");
    const { recording = null } = findEpisode(host.records, uuid) ?? {};
    const file = recording === null ? undefined : host.findRecording(recording);
    if (file === undefined) throw new Refusal(404, "the recording is gone");
    const { type, stream } = await openVideo(host, file);
    return reply.type(type).send(stream);
  });
}

/** What is wrong with the file is the organiser's to know: its name is in it. @throws Refusal 404 */
async function openVideo({ reportFault }: ApiHost, file: string): Promise<HeadVideo> {
  try {
    return await openHeadVideo(file);
  } catch (fault) {
    if (!(fault instanceof SortieError)) throw fault;
    if (fault.code !== "head_video_absent") reportFault(fault);
    throw new Refusal(404, "there is no video in this recording");
  }
}
