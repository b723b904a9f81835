import type { KeyName } from "../config/keys/table.ts";
import { type InputPlace, listMissing } from "./check-inputs.ts";
import type { ChosenTarget } from "./choose-target.ts";

/** The keys that say what a run is started in, the one that wins first. */
const ENVIRONMENTS = ["activate", "conda", "venv", "uv", "python"] as const;
const SENDING: readonly KeyName[] = ["code_sync", "sync_include", "sync_exclude"];

/** What a target's section says and a run on this machine does not do, or not yet: never passed over in silence. */
export function listSectionNotes({ section, settings }: ChosenTarget, place: InputPlace): string[] {
  const [used, ...unused] = ENVIRONMENTS.filter(
    (key) => section[key] !== undefined && section[key] !== false,
  );
  const sending = SENDING.filter((key) => section.source.values.has(key));
  const later = listMissing(section.checkpoints ?? [], place);
  return [
    ...unused.map((key) => `${key} of the section is not used: ${used} comes first`),
    ...sending.map((key) => `${key} of the section has no effect here: the code runs where it lies`),
    ...(later.length > 0 ? [`checkpoints are not there yet: ${later.join(", ")}`] : []),
    ...(settings.wandb
      ? ["wandb: Sortie does not set Weights & Biases up yet; the command must do so itself"]
      : []),
  ];
}
