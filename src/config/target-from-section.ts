import { combineConda } from "./combine-conda.ts";
import { combineSsh } from "./combine-ssh.ts";
import { findKeyRow, type KeyName, keyNames } from "./keys/table.ts";
import type { IssueText, SectionValues } from "./section-values.ts";
import type { KeyValue, Target } from "./target.ts";
import type { TargetSection } from "./target-sections.ts";

/** A target's object from the keys of its section; problems that only show when keys meet are returned beside it. */
export function makeTarget(
  section: TargetSection,
  read: SectionValues,
  place: { name: string; file: string; leaveOut: ReadonlySet<KeyName> },
): { target: Target; errors: IssueText[] } {
  const { kind, heading, lines } = section;
  const { values, notes } = read;
  const ssh = combineSsh(values);
  const environment = combineConda(values);
  const placed = placeValues(kind, values, place.leaveOut);
  const target = {
    name: place.name,
    kind,
    heading,
    lines,
    ...(ssh.address === null ? {} : { ssh: ssh.address }),
    ...(read.gpuNotes.length === 0 ? {} : { gpuNote: read.gpuNotes.join("; ") }),
    ...environment.fields,
    ...placed,
    notes,
    source: { file: place.file, values },
  };
  return { target: target as Target, errors: [...ssh.errors, ...environment.errors] };
}

/** What each vendor's object holds where the section says nothing of it. */
const VENDOR_FIELDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  slurm: {
    partition: null,
    account: null,
    qos: null,
    time: null,
    gres: null,
    constraint: null,
    nodes: null,
    cpusPerTask: null,
    mem: null,
    sbatch: [],
  },
  vast: { instance: null, autoDestroy: false, maxBudgetUsd: null },
  modal: { app: null, function: null, gpu: null, timeoutS: null, volume: null, secrets: [] },
};

/** Puts every value where its row of the key table says, the vendor's fields in an object of their own. */
function placeValues(
  kind: string,
  values: ReadonlyMap<KeyName, KeyValue>,
  leaveOut: ReadonlySet<KeyName>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const vendor: Record<string, unknown> = { ...VENDOR_FIELDS[kind] };
  for (const name of keyNames) {
    const found = values.get(name);
    const at = findKeyRow(name).at?.replace("{kind}", kind);
    if (found === undefined || at === undefined || leaveOut.has(name)) continue;
    const [first, second] = at.split(".") as [string, string | undefined];
    if (second === undefined) fields[first] ??= found.value;
    else vendor[second] = found.value;
  }
  return Object.hasOwn(VENDOR_FIELDS, kind) ? { ...fields, [kind]: vendor } : fields;
}
