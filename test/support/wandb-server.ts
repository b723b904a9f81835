import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

type Json = Record<string, unknown>;

/** What W&B keeps of a run, for whoever asks. */
export interface KeptRun {
  readonly displayName: string;
  readonly state: string;
  readonly summaryMetrics: string;
  readonly rows: readonly Json[];
  /** The server tells where the history ends. */
  readonly isEndTold?: boolean;
}

/**
 * A stand-in for W&B's server on this machine: it takes what the real client sends of a run, answers questions about kept
 * runs, and writes down every call. `refused`: ids of runs that it does not take; `held`: those whose last request it
 * accepts and never answers.
 */
export function useWandbServer() {
  const calls: { path: string; operation: string | null; authorization: string; variables: Json }[] = [];
  const refused = new Set<string>();
  const held = new Set<string>();
  const kept = new Map<string, KeptRun>();
  const files: Record<string, string> = {};
  let server: ReturnType<typeof createServer> | null = null;

  const start = async (): Promise<string> => {
    const made = createServer((request, response) => {
      void read(request).then((body) => {
        const isQuestion = request.url === "/graphql";
        const { query = "", variables = {} } = isQuestion ? (JSON.parse(body) as Json) : {};
        const operation = /(?:query|mutation)\s+(\w+)/.exec(String(query))?.[1] ?? null;
        const authorization = request.headers.authorization ?? "";
        const path = request.url ?? "";
        calls.push({ path, operation, authorization, variables: variables as Json });
        const [, id = ""] = /^\/files\/.*\/(\w+)\/file_stream$/.exec(path) ?? [];
        if (held.has(id) && (JSON.parse(body) as Json)["complete"] === true) return;
        if (path.startsWith("/upload/")) files[path.slice("/upload/".length)] = body;
        const answer = isQuestion ? reply(String(operation), variables as Json) : {};
        response.writeHead(answer === null ? 401 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify(answer ?? { errors: [{ message: "not yours" }] }));
      });
    });
    await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
    server = made;
    return url();
  };
  const url = () => {
    const address = server?.address() as AddressInfo | null | undefined;
    return `http://127.0.0.1:${address?.port ?? 0}`;
  };

  const reply = (operation: string, variables: Json): Json | null => {
    const project = { id: "p", name: "digits", entity: { id: "e", name: "team" } };
    switch (operation) {
      case "RunResumeStatus":
        return refused.has(String(variables["name"]))
          ? null
          : { data: { model: { ...project, bucket: null } } };
      case "UpsertBucket": {
        const bucket = { id: "b", name: variables["name"], displayName: variables["displayName"], project };
        const more = { description: null, config: "{}", sweepName: null, historyLineCount: 0 };
        return { data: { upsertBucket: { bucket: { ...bucket, ...more }, inserted: true } } };
      }
      case "CreateRunFiles": {
        const names = variables["files"] as string[];
        const places = names.map((name) => ({ name, uploadUrl: `${url()}/upload/${name}` }));
        return { data: { createRunFiles: { runID: "b", uploadHeaders: [], files: places } } };
      }
      case "Viewer":
        return { data: { viewer: { id: "v", entity: "team", flags: "{}", teams: { edges: [] } } } };
      case "Run":
      case "HistoryPage":
        return { data: { project: answerKept(operation, variables) } };
      default:
        return { data: {} };
    }
  };
  const answerKept = (operation: string, variables: Json): Json => {
    const run = kept.get(String(variables["run"]));
    if (run === undefined) return { entityName: "team", run: null };
    const { rows, isEndTold = true, ...facts } = run;
    const steps = rows.map((row) => Number(row["_step"]));
    const historyKeys = isEndTold ? { lastStep: Math.max(...steps) } : null;
    if (operation === "Run") return { entityName: "team", run: { ...facts, historyKeys } };
    const [from, to] = [Number(variables["minStep"]), Number(variables["maxStep"])];
    const page = rows.filter((row) => Number(row["_step"]) >= from && Number(row["_step"]) < to);
    return { run: { history: page.map((row) => JSON.stringify(row)) } };
  };

  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
    server = null;
    calls.length = 0;
    refused.clear();
    held.clear();
    kept.clear();
  });
  return { start, calls, refused, held, kept, files };
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
