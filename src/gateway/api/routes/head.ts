import type { Readable } from "node:stream";
import { Type } from "@sinclair/typebox";
import type { FastifyReply } from "fastify";
import { SortieError } from "../../../base/error.ts";
import { holdsHeadPicture, openHeadVideo, VIDEO_TYPE } from "../../recording/head-video.ts";
import { findEpisode } from "../../records/episodes.ts";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { describeRefusals, Refusal } from "../refusal.ts";
import { isSealGood, type LinkSeal } from "../signed-link.ts";
import { Slots } from "../slots.ts";

/** Each reads a whole recording twice. */
const MOST_AT_ONCE = 4;
const RETRY_AFTER_S = 5;
/** A client that takes nothing for so long keeps others waiting for nothing. */
const STALL_MS = 60_000;

const Seal = Type.Object({
  expires: Type.Integer({ minimum: 0 }),
  signature: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});

/** Where the links of the list of videos lead. */
export function addHeadRoute(app: ApiServer, host: ApiHost): void {
  const slots = new Slots(MOST_AT_ONCE, host.clock);
  const schema = {
    summary: "The video of the head camera in an episode, by a link from the list of videos.",
    params: Type.Object({ episode_uuid: Type.String() }),
    querystring: Seal,
    produces: ["video/*"],
    response: {
      200: { description: "A video.", content: { "video/*": { schema: Type.Unknown() } } },
      ...describeRefusals(400, 403, 404, 503),
    },
  };
  const url = "/api/challenge/episode/:episode_uuid/head";
  app.route({
    ...{ method: ["GET", "HEAD"], url, schema },
    handler: async ({ method, params, query }, reply) => {
      const uuid = params.episode_uuid;
      const file = findFile(host, uuid, query);
      const isAsked = method === "HEAD";
      if (isAsked && !(await tellFaults(host, holdsHeadPicture(file)))) throw makeAbsence();
      const video = isAsked ? undefined : await openInTurn(host, file, slots, reply);
      reply.type(VIDEO_TYPE).header("content-disposition", `attachment; filename="episode-${uuid}.avi"`);
      return reply.send(video);
    },
  });
}

/** @throws Refusal */
function findFile(
  { signingKey, clock, records, findRecording }: ApiHost,
  uuid: string,
  seal: LinkSeal,
): string {
  if (!isSealGood(signingKey, uuid, seal, clock.now()))
    throw new Refusal(403, "the link is none of this gateway's, or has expired: ask for the videos again");
  const { recording = null } = findEpisode(records, uuid) ?? {};
  const file = recording === null ? undefined : findRecording(recording);
  if (file === undefined) throw new Refusal(404, "the recording is gone");
  return file;
}

/** Begins a video when few enough are made. All work for it ends with the connection of the client. */
async function openInTurn(
  host: ApiHost,
  file: string,
  slots: Slots,
  { raw }: FastifyReply,
): Promise<Readable> {
  const leaving = new AbortController();
  raw.once("close", () => leaving.abort());
  if (raw.destroyed) leaving.abort();
  if (!(await slots.take(leaving.signal))) {
    const says = `many videos are being made: try again in ${RETRY_AFTER_S} s`;
    throw new Refusal(503, says, { "retry-after": String(RETRY_AFTER_S) });
  }
  leaving.signal.addEventListener("abort", () => slots.giveBack(), { once: true });
  raw.setTimeout(STALL_MS, () => raw.destroy());
  return tellFaults(host, openHeadVideo(file, leaving.signal), leaving.signal);
}

/** What is wrong with the file is the organiser's to know: its name is in it. @throws Refusal 404 */
async function tellFaults<Result>(
  { reportFault }: ApiHost,
  reading: Promise<Result>,
  leaving?: AbortSignal,
): Promise<Result> {
  try {
    return await reading;
  } catch (fault) {
    if (!(fault instanceof SortieError)) throw fault;
    if (fault.code !== "head_video_absent" && !leaving?.aborted) reportFault(fault);
    throw makeAbsence();
  }
}

function makeAbsence(): Refusal {
  return new Refusal(404, "there is no video in this recording");
}
