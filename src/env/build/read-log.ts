import { makeToken } from "../../base/ids.ts";
import { makeSettings, readAnswer } from "../../base/script.ts";
import type { EnvHost } from "../env-host.ts";
import { type EnvironmentKey, makeBuildSettings } from "./build-settings.ts";
import builds from "./scripts/builds.sh";
import log from "./scripts/log.sh";

const TIMEOUT_MS = 30_000;

export interface KeptLog {
  readonly build: string;
  /** Its path on the host. */
  readonly path: string;
  /** Its end. */
  readonly text: string;
}

/** What the newest build of an environment has printed, also a failed one; at most so many bytes. null: there is none. */
export async function readLog(
  host: EnvHost,
  key: EnvironmentKey,
  maxBytes = 65_536,
): Promise<KeptLog | null> {
  const token = makeToken();
  const settings = makeSettings({ sortie_token: token, sortie_most: String(maxBytes) });
  const text = [makeBuildSettings(key), settings, builds, log, "tell_log </dev/null", ""].join("\n");
  const { stdout } = await host.runScript(text, { timeoutMs: TIMEOUT_MS });
  const { build, path } = Object.fromEntries(readAnswer(stdout, token) ?? []);
  if (build === undefined || path === undefined) return null;
  const end = `end=${token}\n`;
  return { build, path, text: stdout.slice(stdout.indexOf(end) + end.length) };
}
