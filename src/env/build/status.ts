import { makeSettings, readAnswer } from "../../base/script.ts";
import { isFlag, isOneOf, isOrNull, isShape, isText, parseJson } from "../../base/shape.ts";
import cpus from "../../process/count-cpus.sh";
import type { Card } from "../key-of-trust.ts";
import type { TierRecord } from "../tiers/tier-record.ts";
import { type EnvironmentKey, makeBuildSettings } from "./build-settings.ts";
import type { EnvironmentStatus } from "./environment-status.ts";
import { isInterpreter, parseReady } from "./ready-file.ts";
import builds from "./scripts/builds.sh";
import cards from "./scripts/cards.sh";
import own from "./scripts/own.sh";
import status from "./scripts/status.sh";

export interface StatusRequest extends EnvironmentKey {
  readonly token: string;
  readonly asksCards: boolean;
  /** Of the requirement files: a build with these is preferred to a newer one. Absent: the newest counts. */
  readonly inputs?: string | null;
  /** The interpreter of an environment that a person has made, or the shell variable that holds it. */
  readonly own?: string | { readonly variable: string } | null;
  /** Folders whose programs are looked at, never run. */
  readonly project?: readonly string[];
}

/** The script of one look, for `sh -s`, alone or as a part of a longer one: it changes nothing, and defines functions. */
export function makeStatusScript(request: StatusRequest): string {
  const { token, asksCards, inputs, own: interpreter, project = [] } = request;
  const settings = makeSettings({
    sortie_token: token,
    sortie_asks_cards: asksCards ? "yes" : "",
    sortie_own: typeof interpreter === "string" ? interpreter : "",
    sortie_project: project.join("\n"),
  });
  const head = makeBuildSettings(request, inputs);
  const found =
    interpreter !== null && typeof interpreter === "object" ? `sortie_own=$${interpreter.variable}` : "";
  return [head, settings, found, builds, cards, cpus, own, status, "tell_status </dev/null", ""].join("\n");
}

/** null: the script did not come to its end. */
export function readStatus(stdout: string, token: string): EnvironmentStatus | null {
  const lines = readAnswer(stdout, token);
  if (lines === null) return null;
  const values: Partial<Record<string, string>> = Object.fromEntries(lines);
  const list = (key: string) => lines.flatMap(([name, value]) => (name === key ? [value] : []));
  const envsDir = values["envs"] ?? "";
  return {
    envsDir,
    ready: parseReady(values["ready"]),
    pointer: readPointer(envsDir, values["pointer"] ?? ""),
    isBuilding: values["building"] === "yes",
    records: list("record").flatMap((text) => parseJson(text, isRecord) ?? []),
    cards: values["cards"] === undefined ? null : list("card").flatMap(readCard),
    cpus: Number(values["cpus"]) || 1,
    own: values["own"]
      ? {
          path: values["own"],
          version: values["own_version"] || null,
          packages: values["own_packages"] || null,
        }
      : null,
  };
}

/** `NAME-HASH-N`, of which the name may hold hyphens, too. */
function readPointer(envsDir: string, target: string): EnvironmentStatus["pointer"] {
  const hash = /-([0-9a-f]{8})-\d+$/.exec(target)?.[1];
  return hash === undefined ? null : { hash, prefix: `${envsDir}/${target}` };
}

/** `GPU-…, 550.54, NVIDIA A100`; a card that the driver has lost has no such line. */
function readCard(line: string): Card[] {
  const [, uuid, driver, model] = /^([A-Z]+-[\w-]+), ([^,]+), (.+)$/.exec(line) ?? [];
  return uuid && driver && model ? [{ uuid, model, driver }] : [];
}

const isRecord = isShape<TierRecord>({
  tier: isOneOf(1, 2, 3),
  passed: isFlag,
  at: isText,
  environment: isText,
  interpreter: isInterpreter,
  card: isOrNull(isShape<Card>({ uuid: isText, model: isText, driver: isText })),
  cuda: isOrNull(isText),
  library: isOrNull(isText),
  document: isOrNull(isText),
  message: isText,
});
