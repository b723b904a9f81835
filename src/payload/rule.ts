/** `hard`: the simulator fails or the episode is lost. `soft`: it runs, but most likely not as was meant. */
export type Level = "hard" | "soft";

/** What is wrong, where, and in one sentence that begins with the place. */
export interface Issue {
  readonly level: Level;
  /** The name of the rule that is broken. */
  readonly name: string;
  readonly path: string;
  readonly sentence: string;
}

/** The place of a fault, and what is wrong there as the end of a sentence that the place begins. */
export interface Finding {
  readonly path: string;
  readonly says: string;
}

/** One row of a table of checks. */
export interface Rule<Subject> {
  readonly name: string;
  readonly level: Level;
  /** What must hold, in words. */
  readonly wants: string;
  /** Rules above this one without which it has nothing to look at: when one is broken, this one is skipped. */
  readonly needs?: readonly string[];
  /** Looks at every number for what is unlikely: left out when speed counts. */
  readonly deep?: boolean;
  readonly find: (subject: Subject) => Finding | undefined;
}

/**
 * Holds a subject against a table, from the top. A broken rule is one issue, at the first place where it is broken; the
 * rules that need it are skipped, so that one mistake is told once.
 */
export function applyRules<Subject>(
  rules: readonly Rule<Subject>[],
  subject: Subject,
  { deep = true } = {},
): Issue[] {
  const issues: Issue[] = [];
  const unmet = new Set<string>();
  for (const rule of rules) {
    if (rule.deep && !deep) continue;
    if (rule.needs?.some((need) => unmet.has(need))) {
      unmet.add(rule.name);
      continue;
    }
    const finding = rule.find(subject);
    if (finding === undefined) continue;
    unmet.add(rule.name);
    issues.push(makeIssue(rule, finding));
  }
  return issues;
}

/** The names of the rules that were not looked at since these were broken. */
export function findSkippedRules<Subject>(
  rules: readonly Rule<Subject>[],
  broken: readonly string[],
): string[] {
  const unmet = new Set(broken);
  const skipped = rules.filter(({ name, needs }) => {
    const isSkipped = !unmet.has(name) && (needs?.some((need) => unmet.has(need)) ?? false);
    if (isSkipped) unmet.add(name);
    return isSkipped;
  });
  return skipped.map(({ name }) => name);
}

function makeIssue({ name, level }: { name: string; level: Level }, { path, says }: Finding): Issue {
  return { level, name, path, sentence: path === "" ? says : `${path} ${says}` };
}
