import { isAbsolute, join } from "node:path";
import type { ChosenTarget } from "../choose-target.ts";

const USUAL_FOLDER = join(".aris", "compute");

/** Whose ledger it is: `local`, the SSH alias or host, or the vendor's or scheduler's name. */
function nameProvider({ section, ssh }: Pick<ChosenTarget, "section" | "ssh">): string {
  if (section.kind !== "ssh") return section.kind;
  const name = ssh?.destination ?? section.name;
  return name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+/, "") || section.name;
}

/** The ledger of a target: `.aris/compute/PROVIDER.md` in the project, or where the configuration says. Absolute. */
export function placeLedger(
  chosen: Pick<ChosenTarget, "section" | "ssh" | "projectFolder" | "settings">,
): string {
  const { envLedger } = chosen.settings;
  const place = envLedger ?? USUAL_FOLDER;
  const whole = isAbsolute(place) ? place : join(chosen.projectFolder, place);
  return whole.endsWith(".md") ? whole : join(whole, `${nameProvider(chosen)}.md`);
}
