import { join, relative } from "node:path/posix";
import { formatBytes } from "../../base/bytes.ts";
import { countOf } from "../../base/count-of.ts";
import { SortieError } from "../../base/error.ts";
import type { SshHost } from "../../process/ssh/ssh-host.ts";
import { judgeServer } from "../../sync/git-sync/judge-server.ts";
import { readServerCheckout } from "../../sync/git-sync/server-checkout.ts";
import { summarizeSend } from "../../sync/send/describe-send.ts";
import type { Preflight, ServerFacts } from "../../targets/target.ts";
import type { Desk } from "../desk.ts";
import type { RemoteTerms } from "../plan.ts";
import type { SyncDraft, SyncWish } from "./draft-sync.ts";
import type { SyncTerms } from "./sync-terms.ts";

/** Room that a run needs beside its code, at the least: for its log and its records. */
const SPARE_KIB = 50 * 1024;
const SPARE_INODES = 100;

export interface RemoteWish {
  readonly address: SshHost;
  readonly host: string;
  /** As the section has it. */
  readonly codeDir: string;
  readonly freeze: boolean;
  readonly sync: SyncWish;
}

/** What is done on the host before the run starts. @throws what keeps it from being done there */
export async function planRemote(
  desk: Pick<Desk, "runner" | "env">,
  { address, host, codeDir: wanted, freeze, sync }: RemoteWish,
  preflight: Preflight,
  draft: SyncDraft,
): Promise<RemoteTerms> {
  const server = preflight.server as ServerFacts;
  const codeDir = expandHome(wanted, server.home);
  const { bytes = 0, files = [] } = draft.kind === "rsync" ? draft.send : {};
  checkRoom(server, { host, bytes, files: files.length });
  checkTools(server, { host, kind: draft.kind });
  const terms = await makeSyncTerms(desk, { draft, wish: sync }, server, { host, codeDir });
  // In a checkout the project may lie further down than the code folder.
  const below = terms.kind === "git" ? terms.server.below : "";
  return {
    ...{ address, codeDir, folder: join(codeDir, below, relative(codeDir, preflight.folder)), freeze },
    sync: terms,
  };
}

function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
}

function checkRoom(
  { disks, unwritable }: ServerFacts,
  { host, bytes, files }: { host: string; bytes: number; files: number },
): void {
  if (unwritable.length > 0)
    throw new SortieError("host_unwritable", { host, path: unwritable.join(" and ") });
  const needKib = Math.ceil(bytes / 1024) + SPARE_KIB;
  for (const { path, freeKib, freeInodes } of disks) {
    if (freeKib < needKib) {
      const [free, need] = [formatBytes(freeKib * 1024), formatBytes(needKib * 1024)];
      throw new SortieError("host_full", { host, path, what: `${free} free, and ${need} are needed` });
    }
    const needInodes = files + SPARE_INODES;
    if (freeInodes !== null && freeInodes < needInodes) {
      const what = `${countOf(freeInodes, "file")} more can be made (inodes), and ${needInodes} are needed`;
      throw new SortieError("host_full", { host, path, what });
    }
  }
}

function checkTools({ tools }: ServerFacts, { host, kind }: { host: string; kind: "rsync" | "git" }): void {
  if (tools[kind] === undefined) {
    const other = kind === "rsync" ? "git" : "rsync";
    const advice = `Install it there, or set \`code_sync: ${other}\` in the section.`;
    throw new SortieError("tool_missing", { tool: kind, host, advice });
  }
  if (tools["sha256sum"] === undefined && tools["shasum"] === undefined) {
    const advice = "Install it, or shasum, there: what was sent is checked with it.";
    throw new SortieError("tool_missing", { tool: "sha256sum", host, advice });
  }
}

async function makeSyncTerms(
  desk: Pick<Desk, "runner" | "env">,
  { draft, wish }: { draft: SyncDraft; wish: SyncWish },
  { checkout }: ServerFacts,
  { host, codeDir }: { host: string; codeDir: string },
): Promise<SyncTerms> {
  if (draft.kind === "git") {
    const seen = readServerCheckout(checkout) ?? { state: "missing" };
    const scope = { host, codeDir, env: desk.env };
    const { problems, step } = await judgeServer(desk.runner, draft.home, seen, scope);
    if (problems[0]) throw problems[0];
    return { kind: "git", source: wish.source, home: draft.home, server: step };
  }
  const { include = [], exclude = [] } = wish;
  return { kind: "rsync", include, exclude, ...summarizeSend(draft.send) };
}
