import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { makePrintable } from "../../../base/printable.ts";
import { isNumber, isShape, parseJson } from "../../../base/shape.ts";
import type { Outcome, Runner } from "../../../process/runner.ts";
import type { ForwardRow } from "./collect-rows.ts";
import program from "./forward.py";

/** What the run is called in W&B. */
export interface OfflineHead {
  readonly project: string;
  readonly entity: string | null;
  readonly name: string;
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** The exit code that it ends with. */
  readonly exit: number;
}

export interface OfflineCall {
  /** Has the package wandb. */
  readonly python: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Empty, and for this alone. */
  readonly folder: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const isTold = isShape<{ rows: number }>({ rows: isNumber });

/**
 * Makes an offline run of W&B's of these rows, by its own package, without network and key. Answers with its folder, whole, or
 * why there is none.
 */
export async function makeOfflineRun(
  runner: Runner,
  head: OfflineHead,
  rows: readonly ForwardRow[],
  { python, env, folder, timeoutMs, signal }: OfflineCall,
): Promise<{ readonly folder: string } | { readonly failed: string }> {
  const place = join(folder, "made"); // the program starts beside it: a folder `wandb` where it starts could be imported
  mkdirSync(place);
  const lines = [{ ...head, folder: place }, ...rows].map((line) => JSON.stringify(line));
  const outcome = await runner.run([python, "-c", program], {
    ...{ cwd: folder, env: makeEnv(env), stdin: `${lines.join("\n")}\n`, timeoutMs, endsWithUs: true },
    ...(signal && { signal }),
  });
  if (outcome.timedOut) return { failed: `it took longer than ${Math.round(timeoutMs / 1000)} s` };
  const told = parseJson(outcome.stdout.trimEnd().split("\n").at(-1) ?? "", isTold);
  if (outcome.exitCode !== 0 || told?.rows !== rows.length) return { failed: describeFailure(outcome) };
  const made = readdirSync(join(place, "wandb")).find((name) => name.startsWith("offline-run-"));
  return made === undefined ? { failed: "W&B left no offline run" } : { folder: join(place, "wandb", made) };
}

/** Nothing that is set for other runs counts, and nothing of this machine is told beside the numbers. */
function makeEnv(env: OfflineCall["env"]): OfflineCall["env"] {
  const others = Object.entries(env).filter(([name]) => !name.startsWith("WANDB_"));
  return {
    ...Object.fromEntries(others),
    WANDB_SILENT: "true",
    WANDB_CONSOLE: "off",
    WANDB_DISABLE_GIT: "true",
    WANDB_DISABLE_CODE: "true",
    WANDB_X_DISABLE_STATS: "true",
    WANDB_ERROR_REPORTING: "false",
  };
}

/** Python tells the reason last. */
function describeFailure({ stderr, exitCode, signal }: Outcome): string {
  const line = stderr.trimEnd().split("\n").at(-1)?.trim();
  return makePrintable(line || `it ended with ${signal ?? exitCode}`).slice(0, 500);
}
