/** A heading as a name: `Vast.ai` is `vast-ai`. Empty for a heading without letters and digits. */
export function makeKebab(heading: string): string {
  return heading
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

/** Names for targets in the order of their sections; equal headings are numbered: `remote-server`, `remote-server-2`. */
export function makeTargetNames(sections: readonly { heading: string; kind: string }[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return sections.map(({ heading, kind }) => {
    const base = makeKebab(heading) || kind;
    let count = counts.get(base) ?? 1;
    let name = count === 1 ? base : `${base}-${count}`;
    // `local` always means this machine, so that no other kind may be called so.
    while (taken.has(name) || (name === "local" && kind !== "local")) {
      count += 1;
      name = `${base}-${count}`;
    }
    counts.set(base, count + 1);
    taken.add(name);
    return name;
  });
}
