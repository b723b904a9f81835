import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { makeSettings, readAnswer } from "../../base/script.ts";
import type { EnvHost } from "../env-host.ts";
import type { TierRecord } from "../tiers/tier-record.ts";
import { type EnvironmentKey, makeBuildSettings } from "./build-settings.ts";
import append from "./scripts/append.sh";

const TIMEOUT_MS = 30_000;

/**
 * Adds to what an environment's tiers have shown on a host, a line each, all or none of them.
 * @throws environment_unbuildable where nothing can be written, and what keeps the host from answering
 */
export async function appendRecords(
  host: EnvHost,
  key: EnvironmentKey,
  records: readonly TierRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const token = makeToken();
  const lines = records.map((record) => JSON.stringify(record)).join("\n");
  const settings = makeSettings({ sortie_token: token, sortie_lines: lines });
  const text = [makeBuildSettings(key), settings, append, "append_records </dev/null", ""].join("\n");
  const outcome = await host.runScript(text, { timeoutMs: TIMEOUT_MS });
  const answer = Object.fromEntries(readAnswer(outcome.stdout, token) ?? []);
  if (answer["appended"] === "yes") return;
  throw new SortieError("environment_unbuildable", {
    name: key.name,
    host: host.name,
    reason: `what was shown cannot be kept: ${answer["fault"] || outcome.stderr.trim() || "no answer came"}`,
    advice: "Make room and give yourself the right to write there, or name another folder as `env_dir`.",
  });
}
