import { type Static, Type } from "@sinclair/typebox";
import { type CaseCount, countCases, jobColumns, listJobs } from "../../records/job-lists.ts";
import type { JobRow } from "../../records/jobs.ts";
import type { ApiHost } from "../api-host.ts";
import type { ApiServer } from "../api-server.ts";
import { deriveDetailedStatus } from "../job-words.ts";
import { getCaller, type LoginGate, loginSecurity } from "../login-gate.ts";
import { orNull } from "../or-null.ts";
import { describePaged, makePaged, pagingFields, readPage } from "../paging.ts";
import { describeRefusals, Refusal } from "../refusal.ts";

const Query = Type.Object({
  ...pagingFields,
  model_name: Type.Optional(Type.String({ maxLength: 128, description: "Only jobs of this model." })),
  order: Type.Optional(Type.String({ description: "`asc` or `desc`, the default: newest first." })),
  "sort-by": Type.Optional(
    Type.String({
      maxLength: 64,
      description: `\`COLUMN:asc\` or \`COLUMN:desc\`, of ${jobColumns.join(", ")}.`,
    }),
  ),
});

const Job = Type.Object({
  id: Type.Integer(),
  uuid: Type.Optional(Type.String()),
  job_uuid: Type.Optional(Type.String()),
  name: Type.String(),
  board: Type.String(),
  model_name: Type.String(),
  description: orNull(Type.String()),
  paper_link: orNull(Type.String()),
  parallelism: Type.Integer(),
  status: Type.Optional(
    Type.Integer({ description: "0 ready, 1 running, 2 succeeded, 3 stopped, 4 failed, 5 stopping." }),
  ),
  detailed_status: Type.Optional(orNull(Type.String())),
  end_reason: orNull(Type.String()),
  progress: Type.Object({ done: Type.Integer(), total: Type.Integer() }),
  created_at: Type.String(),
  started_at: orNull(Type.String()),
  ended_at: orNull(Type.String()),
  score: orNull(Type.Number()),
});

export function addJobRoutes(app: ApiServer, host: ApiHost, gate: LoginGate): void {
  const { config, records } = host;
  const schema = {
    summary: "The jobs of the caller.",
    security: loginSecurity,
    querystring: Query,
    response: { 200: describePaged(Job), ...describeRefusals(400, 401) },
  };
  app.get("/api/challenge/jobs", { schema, onRequest: gate }, async (request) => {
    const { query } = request;
    const page = readPage(query, config.flags);
    const listing = {
      userId: getCaller(request).id,
      modelName: query.model_name,
      ...readSorting(query),
      ...page,
    };
    const { jobs, total } = listJobs(records, listing);
    const counts = countCases(
      records,
      jobs.map(({ id }) => id),
    );
    const items = jobs.map((job) => describeJob(host, job, counts.get(job.id) ?? { done: 0, total: 0 }));
    return makePaged(items, total, page);
  });
}

type Sorting = { readonly column: string; readonly direction: "asc" | "desc" };

function readSorting(query: Pick<Static<typeof Query>, "order" | "sort-by">): Sorting {
  const { order = "desc", "sort-by": by = "id" } = query;
  const [column = "", direction = order, ...rest] = by.split(":");
  if (rest.length > 0 || !jobColumns.some((known) => known === column))
    throw new Refusal(400, `query, sort-by: there is no such column; there are ${jobColumns.join(", ")}`);
  if (direction !== "asc" && direction !== "desc")
    throw new Refusal(400, "query, order or sort-by: a direction is asc or desc");
  return { column, direction };
}

/** The first documents have no status in this list: it is on `/result`. */
function describeJob({ config, findLiveJob }: ApiHost, job: JobRow, progress: CaseCount): Static<typeof Job> {
  const { flags } = config;
  const detailed = { status: job.status, detailed_status: deriveDetailedStatus(job, findLiveJob(job.id)) };
  return {
    ...{ id: job.id, [flags.uuidKey]: job.uuid, name: job.name, board: job.board, model_name: job.modelName },
    ...{ description: job.description, paper_link: job.paperLink, parallelism: job.parallelism },
    ...(flags.statusStyle === "new" ? detailed : {}),
    ...{ end_reason: job.endReason, progress, score: job.score },
    ...{ created_at: job.createdAt, started_at: job.startedAt, ended_at: job.endedAt },
  };
}
