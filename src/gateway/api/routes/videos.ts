import { type Static, Type } from "@sinclair/typebox";
import type { FastifyRequest } from "fastify";
import { type EpisodeRow, listEpisodes } from "../../records/episodes.ts";
import type { JobRow } from "../../records/jobs.ts";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { type LoginGate, loginSecurity } from "../login-gate.ts";
import { orNull } from "../or-null.ts";
import { describeJobRefusals, findOwnJob, jobPath } from "../own-job.ts";
import { ShownRecordings } from "../shown-recordings.ts";
import { LINK_LIFE_S, sealLink } from "../signed-link.ts";

/** How long after its end a job's videos are to be had. */
const SHOWN_MS = 72 * 3_600_000;

const videosStatus = { ok: 0, past: 1, unfinished: 2 } as const;

const EpisodeShape = Type.Object({
  task_name: Type.String(),
  episode_uuid: Type.String(),
  task_id: Type.Integer(),
  case_id: Type.Integer(),
  score: orNull(Type.Number()),
  head: orNull(Type.String({ description: "The video of the head camera; null: there is none." })),
});

type Episode = Static<typeof EpisodeShape>;

const Videos = Type.Object({
  job_id: Type.Integer(),
  status: Type.Integer({ description: "0 ok, 1 more than 72 h after the end, 2 the job has not ended." }),
  expires_in: Type.Integer({ description: "Seconds for which the links are good." }),
  episodes: Type.Array(EpisodeShape),
});

export function addVideosRoute(app: ApiServer, host: ApiHost, gate: LoginGate): void {
  const shown = new ShownRecordings(host);
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
    const episodes: Episode[] = [];
    for (const row of rows) {
      const head = (await shown.hasPictures(row.recording)) ? makeHeadLink(host, request, row) : null;
      episodes.push({
        ...{ task_name: row.task, episode_uuid: row.uuid, task_id: row.taskId, case_id: row.caseId },
        ...{ score: row.score, head },
      });
    }
    return { job_id: job.id, status, expires_in: LINK_LIFE_S, episodes };
  });
}

function judgeVideos({ endedAt }: JobRow, now: Date): number {
  if (endedAt === null) return videosStatus.unfinished;
  return now.getTime() - Date.parse(endedAt) > SHOWN_MS ? videosStatus.past : videosStatus.ok;
}

function makeHeadLink(host: ApiHost, request: FastifyRequest, { uuid }: EpisodeRow): string {
  const { expires, signature } = sealLink(host.signingKey, uuid, host.clock.now());
  const base = findBase(host.config.publicUrl, request);
  return `${base}/api/challenge/episode/${uuid}/head?expires=${expires}&signature=${signature}`;
}

/**
 * Where contestants reach this gateway. Where the configuration does not say it: as the client called it, which behind a
 * proxy that is trusted the proxy says; without a host that can be one, the link is one on this server.
 */
function findBase(publicUrl: string | undefined, { protocol, host }: FastifyRequest): string {
  if (publicUrl !== undefined) return new URL(publicUrl.replace(/^ws/i, "http")).origin;
  const scheme = protocol === "https" ? "https" : "http";
  return /^[\w.:[\]-]+$/.test(host) ? `${scheme}://${host}` : "";
}
