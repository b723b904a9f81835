import type { ConfigIssue } from "./issue.ts";
import { findKey, findKeyRow, keyNames } from "./keys/table.ts";
import { loadHomeConfig } from "./load-config.ts";
import { readConfigFile } from "./read-file.ts";
import { type SettingName, type SettingValue, settingDefaults } from "./settings.ts";
import { makeVariableName, readVariables } from "./variables.ts";

/** What a person has set for themselves, whatever the project. */
export interface PersonalSettings {
  resolve<Name extends SettingName>(name: Name): SettingValue<Name>;
  /** What of it could not be read; nothing is thrown. */
  readonly warnings: readonly ConfigIssue[];
}

/** Reads the person's own settings: a SORTIE_ variable, else config.yaml, else the default. No project's file is read. */
export async function loadPersonalSettings({
  file,
  env,
}: {
  /** config.yaml in Sortie's home folder. */
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<PersonalSettings> {
  const home = await loadHomeConfig(file, readConfigFile);
  const variables = readVariables(env);
  return {
    resolve<Name extends SettingName>(name: Name) {
      const value = variables.values.get(name) ?? home.values.get(name)?.value ?? settingDefaults[name];
      return value as SettingValue<Name>;
    },
    warnings: [...home.errors, ...home.warnings, ...variables.warnings].filter(isPersonal),
  };
}

/** Others are told where they matter; a file that cannot be read at all matters here too. */
function isPersonal({ key }: ConfigIssue): boolean {
  if (key === null || key === "config.yaml") return true;
  const name = findKey(key) ?? keyNames.find((one) => makeVariableName(one) === key);
  return name !== undefined && findKeyRow(name).personal === true;
}
