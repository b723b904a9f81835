import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { quoteShell } from "../../src/base/quote.ts";
import type { Check } from "../../src/supervise/rehearse/check-row.ts";
import { type Rehearsal, rehearse } from "../../src/supervise/rehearse/rehearse.ts";
import type { RehearsalLimits, RehearseOptions } from "../../src/supervise/rehearse/rehearse-options.ts";
import { SORTIE } from "./sortie.ts";

const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** The same checks as a person gets, with little to look at and little patience. */
const shortLimits: Partial<RehearsalLimits> = {
  ...{ loadMs: 30_000, replyMs: 5_000, windowMs: 5_000, pongMs: 2_000, resumeMs: 2_000, quietMs: 150 },
  ...{ drainMs: 5_000, steadyMs: 0, steadyLeast: 16, steadyMost: 16, lookMs: 50, pictures: "flat" },
};

/** Rehearses a file of `fixtures/agents/` or a handler of `fixtures/handlers/` in a second or two. */
export function rehearseFixture(
  fixture: { readonly agent: string } | { readonly handler: string },
  more: Partial<Omit<RehearseOptions, "limits">> & { readonly limits?: Partial<RehearsalLimits> } = {},
): Promise<Rehearsal> {
  const { limits, ...others } = more;
  return rehearse({
    ...("agent" in fixture
      ? {
          agentCommand: `${quoteShell(process.execPath)} ${quoteShell(join(checkout, "fixtures", "agents", fixture.agent))}`,
        }
      : { handler: `${join(checkout, "fixtures", "handlers", fixture.handler)}:handle`, gpus: ["cpu"] }),
    ...{ agents: 1, board: "instruction", payload: "g2", budgetMs: 1000 },
    ...{ cwd: checkout, env: process.env, self: [process.execPath, SORTIE] },
    ...others,
    limits: { ...shortLimits, ...limits },
  });
}

/** The names of the checks that failed. */
export function listFailed(checks: readonly Check[], level: Check["level"] = "hard"): string[] {
  return checks.filter((check) => check.ok === false && check.level === level).map(({ name }) => name);
}
