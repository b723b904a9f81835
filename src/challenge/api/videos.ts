import { SortieError } from "../../base/error.ts";
import { readList, readNumber, readRow, readText } from "./reply-shape.ts";
import type { ApiSession } from "./session.ts";

export interface Episode {
  readonly taskName: string | null;
  readonly episodeUuid: string | null;
  readonly taskId: number | null;
  readonly caseId: number | null;
  readonly score: number | null;
  /** The video of the head camera; null: there is none. */
  readonly headUrl: string | null;
}

export interface JobVideos {
  /** `past`: more than 72 h after the end of the job. */
  readonly state: "ready" | "past" | "unfinished" | "unknown";
  /** For how long the links are good. */
  readonly expiresInS: number | null;
  readonly episodes: readonly Episode[];
}

const states = new Map<number | null, JobVideos["state"]>([
  [0, "ready"],
  [1, "past"],
  [2, "unfinished"],
]);

/** The videos of a job, by its number. @throws SortieError `challenge_not_offered` by servers that have none */
export async function loadVideos(session: ApiSession, id: number, signal?: AbortSignal): Promise<JobVideos> {
  try {
    return await session.get(`job/${encodeURIComponent(id)}/episodes/videos`, { read: readVideos, signal });
  } catch (thrown) {
    if (!(thrown instanceof SortieError) || !isUnknownPath(thrown)) throw thrown;
    const { text } = thrown.details;
    throw new SortieError("challenge_not_offered", { url: session.baseUrl, what: "videos", text }, thrown);
  }
}

/** The job may be unknown instead: then the words name it. */
function isUnknownPath({ code, details: { status, text } }: SortieError): boolean {
  const isRefused = code === "challenge_refused" && (status === 404 || status === 405);
  return isRefused && !/\bno (such )?job\b|job not found/i.test(String(text));
}

function readVideos(body: unknown): JobVideos {
  const row = readRow(body);
  const episodes = readList(row["episodes"], "episodes").map((value) => {
    const episode = readRow(value, "an episode");
    return {
      ...{ taskName: readText(episode["task_name"]), episodeUuid: readText(episode["episode_uuid"]) },
      ...{ taskId: readNumber(episode["task_id"]), caseId: readNumber(episode["case_id"]) },
      ...{ score: readNumber(episode["score"]), headUrl: readText(episode["head"]) },
    };
  });
  const state = states.get(readNumber(row["status"])) ?? "unknown";
  return { state, expiresInS: readNumber(row["expires_in"]), episodes };
}
