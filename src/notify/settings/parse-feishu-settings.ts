import { SortieError } from "../../base/error.ts";
import { findNearest } from "../../base/nearest.ts";
import { makePrintable } from "../../base/printable.ts";
import { findAddressFault } from "../check-address.ts";
import { parseJsonObject } from "./parse-json-object.ts";

export interface FeishuSettings {
  readonly mode: "push" | "interactive";
  /** null: mode `interactive` without one; cards go over the bridge. */
  readonly webhookUrl: string | null;
  /** For bots whose messages must be signed. */
  readonly secret: string | null;
  /** There where the mode is `interactive`. */
  readonly bridge: BridgeSettings | null;
  /** Sentences for people; none holds a secret. */
  readonly warnings: readonly string[];
}

export interface BridgeSettings {
  /** Without a slash at its end. */
  readonly url: string;
  /** How long a question waits for its answer. */
  readonly timeoutMs: number;
  /** Ids of those whose answers count; empty: of whoever the bridge takes one from. */
  readonly people: readonly string[];
}

interface Source {
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Fields = Readonly<Record<string, unknown>>;

const MODES = ["off", "push", "interactive"];
/** Each key by the names that people give it, in small letters without `_` and `-`. */
const KEYS: Readonly<Record<string, string>> = {
  ...{ mode: "mode", webhookurl: "webhook_url", webhook: "webhook_url", interactive: "interactive" },
  ...{ secret: "secret", signsecret: "secret", signingsecret: "secret", webhooksecret: "secret" },
};
const INNER_KEYS: Readonly<Record<string, string>> = {
  ...{ bridgeurl: "bridge_url", bridge: "bridge_url" },
  ...{ timeoutseconds: "timeout_seconds", timeout: "timeout_seconds" },
  ...{ people: "people", users: "people", allowedusers: "people", userid: "people", openid: "people" },
};
const DEFAULT_TIMEOUT_S = 300;
const MOST_TIMEOUT_S = 86_400;
const SHAPE = 'It looks like this: {"mode": "push", "webhook_url": "https://…"}.';

/** Reads the settings leniently; null: mode `off`. No error repeats a value that may be secret. @throws SortieError `notify_settings_bad` */
export function parseFeishuSettings(text: string, source: Source): FeishuSettings | null {
  const body = parseJsonObject(text);
  if ("fault" in body) throw refuse(source, body.fault);
  const warnings: string[] = [];
  const fields = nameKeys(body.fields, { known: KEYS, source, warnings });
  const mode = readMode(fields, source);
  if (mode === "off") return null;
  const webhookUrl = readAddress(fields, "webhook_url", source);
  if (mode === "push" && webhookUrl === null) throw refuse(source, "`webhook_url` is missing");
  const secret = readText(fields, "secret", source);
  const bridge = mode === "push" ? null : readBridge(fields["interactive"], source, warnings);
  return { mode, webhookUrl, secret, bridge, warnings };
}

function refuse({ file }: Source, reason: string, advice = SHAPE): SortieError {
  return new SortieError("notify_settings_bad", { file, reason, advice });
}

function nameKeys(
  fields: Fields,
  {
    known,
    source,
    warnings,
  }: { known: Readonly<Record<string, string>>; source: Source; warnings: string[] },
): Fields {
  const named: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    const plain = key.toLowerCase().replace(/[_-]/g, "");
    const name = Object.hasOwn(known, plain) ? known[plain] : undefined;
    if (name !== undefined) {
      named[name] = value;
      continue;
    }
    const nearest = findNearest(key, [...new Set(Object.values(known))]);
    const meant = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
    warnings.push(`${source.file}: the key \`${makePrintable(key.slice(0, 40))}\` is not known${meant}`);
  }
  return named;
}

function readMode(fields: Fields, source: Source): "off" | "push" | "interactive" {
  const value = fields["mode"];
  const all = MODES.map((mode) => `\`${mode}\``).join(", ");
  if (value === undefined) throw refuse(source, "`mode` is missing", `It is one of ${all}.`);
  const mode = MODES.find((one) => typeof value === "string" && one === value.trim().toLowerCase());
  if (mode !== undefined) return mode as "off" | "push" | "interactive";
  const shown = makePrintable(JSON.stringify(value).slice(0, 40));
  const nearest = typeof value === "string" ? findNearest(value.trim(), MODES) : undefined;
  const advice =
    nearest === undefined ? `It is one of ${all}.` : `Did you mean \`${nearest}\`? It is one of ${all}.`;
  throw refuse(source, `there is no mode ${shown}`, advice);
}

/** null where it is missing or empty; `$NAME` stands for a variable of the environment. */
function readText(fields: Fields, key: string, source: Source): string | null {
  const value = fields[key] ?? "";
  if (typeof value !== "string") throw refuse(source, `\`${key}\` is no text`);
  const [, name] = /^\$\{?(\w+)\}?$/.exec(value.trim()) ?? [];
  if (name === undefined) return value.trim() || null;
  const held = source.env[name]?.trim();
  if (held) return held;
  throw refuse(source, `\`${key}\` names the variable ${name}, which is not set`, `Set ${name}.`);
}

function readAddress(fields: Fields, key: string, source: Source): string | null {
  const text = readText(fields, key, source);
  const fault = text === null ? undefined : findAddressFault(text);
  if (fault === undefined) return text;
  const advice = "Write an https:// address; http:// is taken for this machine alone (localhost).";
  throw refuse(source, `\`${key}\` will not do: ${fault}`, advice);
}

function readBridge(value: unknown, source: Source, warnings: string[]): BridgeSettings {
  const advice = 'Write {"mode": "interactive", "interactive": {"bridge_url": "http://localhost:5000"}}.';
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refuse(source, "`interactive` is missing or no object", advice);
  }
  const fields = nameKeys(value as Fields, { known: INNER_KEYS, source, warnings });
  const url = readAddress(fields, "bridge_url", source);
  if (url === null) throw refuse(source, "`interactive.bridge_url` is missing", advice);
  const seconds = Number(fields["timeout_seconds"] ?? DEFAULT_TIMEOUT_S);
  if (!(seconds >= 1 && seconds <= MOST_TIMEOUT_S)) {
    throw refuse(source, `\`interactive.timeout_seconds\` is no number from 1 to ${MOST_TIMEOUT_S}`);
  }
  const people = [fields["people"] ?? []].flat();
  // A list that could not be read must not become one that lets everybody answer.
  if (!people.every((one): one is string => typeof one === "string" && one.trim() !== "")) {
    throw refuse(source, "`interactive.people` is no list of ids");
  }
  return { url: url.replace(/\/+$/, ""), timeoutMs: seconds * 1000, people: people.map((one) => one.trim()) };
}
