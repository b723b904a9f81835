import { findTarget } from "../config/choose-target.ts";
import { loadTrust, removeTrusted, saveTrust } from "../config/trust.ts";
import { listUntrusted, type Untrusted } from "../config/untrusted.ts";
import { loadConfigFor, type TargetPlace } from "./choose-target.ts";
import type { Desk } from "./desk.ts";
import { needsNoTrust } from "./remote/knows-host.ts";

/** The lines of the project, or of one target, that would be run and are not trusted yet. */
export async function listUntrustedOf(desk: Desk, { cwd, wanted }: TargetPlace): Promise<Untrusted> {
  const config = await loadConfigFor(desk, cwd);
  const sections = wanted === null ? config.targets : [findTarget(config, wanted)];
  const trust = loadTrust(desk.home.trust);
  const all = await Promise.all(
    sections.map(async (section) => {
      const isHostKnown = await needsNoTrust(desk, section);
      return removeTrusted(trust, listUntrusted(section, { isHostKnown, place: config }));
    }),
  );
  return { file: config.files[0] ?? null, lines: all.flatMap(({ lines }) => lines) };
}

export function trustLines(desk: Desk, untrusted: Untrusted): void {
  if (untrusted.lines.length > 0) saveTrust(desk.home.trust, untrusted);
}
