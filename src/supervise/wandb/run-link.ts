import type { RunWandb } from "../../runs/run-record.ts";

/** Where people look at a run: W&B's pages are not where its programs ask. null: whose it is, is not known. */
export function makeRunLink({
  url,
  entity,
  project,
  id,
}: Pick<RunWandb, "url" | "entity" | "project" | "id">): string | null {
  if (entity === null) return null;
  const [before, after] = listPages({ url, project, id });
  return `${before}${encodeURIComponent(entity)}${after}`;
}

/** The same without the owner: what stands before and behind it. */
export function listPages({ url, project, id }: Pick<RunWandb, "url" | "project" | "id">): [string, string] {
  const pages = url.replace(/^(https?:\/\/)api\.(?=wandb\.ai$)/, "$1");
  return [`${pages}/`, ["", project, "runs", id].map(encodeURIComponent).join("/")];
}

/** The run in one line for people. `isSent`: what was kept offline is on the server. */
export function describeRunWandb(run: RunWandb, { isSent }: { readonly isSent: boolean }): string {
  const { project, mode, way, rows } = run;
  if (way === "forward" && rows === 0) return "nothing was forwarded: its log holds no numbers";
  const place = makeRunLink(run) ?? `the project ${project} of whoever is logged in, run ${run.id}`;
  if (way === "forward" && rows === undefined) return `${place}, forwarded from its log once it has ended`;
  const own = mode === "online" || isSent ? place : `${mode}; once sent: ${place}`;
  if (way !== "none") return own;
  return `nothing was forwarded: no program \`wandb\` was on this machine. What it logged by itself: ${own}`;
}
