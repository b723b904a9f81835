import type { DocumentedCommand } from "../../env/document/find-document.ts";
import type { HostTool } from "../../env/render/build-steps.ts";
import type { EnvSpec } from "../../env/spec/env-spec.ts";
import type { DueTier } from "../../env/tiers/judge-trust.ts";

/** What a plan does with an environment under contract before it starts anything there. */
export interface ContractTerms {
  readonly name: string;
  /** The 8 digits of its specification. */
  readonly hash: string;
  /** `person`: somebody's own, which is checked, and never built or changed. */
  readonly owner: "sortie" | "person";
  /** `check`: it is a person's own. */
  readonly action: "reuse" | "build" | "rebuild" | "check";
  /** Why, for people. */
  readonly why: string;
  /** What it must yet show; of one that is built first, all of it. */
  readonly due: readonly Pick<DueTier, "tier" | "card" | "why">[];
  /** Nothing of that is tried. */
  readonly isUnverified: boolean;
  /** Where it lies; null: it is not built yet. */
  readonly prefix: string | null;
  readonly specFile: string;
  readonly spec: EnvSpec;
  /** Of the requirement files that the specification names; null: it names none. */
  readonly inputs: string | null;
  /** Their lines. */
  readonly requirements: readonly string[];
  /** On the host; absolute, or from `~/` on. */
  readonly envsDir: string;
  /** The project's folder on the host. */
  readonly project: string;
  /** The same at home. */
  readonly projectFolder: string;
  readonly build: HostTool;
  /** The file at home. */
  readonly ledger: string;
  /** What the ledger will say of how it came to be, where it does not say so yet. */
  readonly how: string;
  readonly document: {
    readonly commands: readonly DocumentedCommand[];
    /** null: nothing is documented. */
    readonly hash: string | null;
  };
}

/** `digits@1a2b3c4d` */
export function nameContract({ name, hash }: Pick<ContractTerms, "name" | "hash">): string {
  return `${name}@${hash}`;
}
