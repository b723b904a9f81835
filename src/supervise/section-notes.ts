import type { KeyName } from "../config/keys/table.ts";
import type { ChosenTarget } from "./choose-target.ts";

/** The keys that say what a run is started in, the one that wins first. */
const ENVIRONMENTS = ["activate", "conda", "venv", "uv", "python"] as const;
const SENDING: readonly KeyName[] = ["code_sync", "sync_include", "sync_exclude"];

/**
 * What a target's section says and a run there does not do, or not yet: never passed over in silence.
 * @param missing those of its data and checkpoints that are not there
 */
export function listSectionNotes({ section, ssh }: ChosenTarget, missing: readonly string[]): string[] {
  const [used, ...unused] = ENVIRONMENTS.filter(
    (key) => section[key] !== undefined && section[key] !== false,
  );
  const sending = ssh === null ? SENDING.filter((key) => section.source.values.has(key)) : [];
  const later = (section.checkpoints ?? []).filter((path) => missing.includes(path));
  return [
    ...unused.map((key) => `${key} of the section is not used: ${used} comes first`),
    ...sending.map((key) => `${key} of the section has no effect here: the code runs where it lies`),
    ...(later.length > 0 ? [`checkpoints are not there yet: ${later.join(", ")}`] : []),
  ];
}
