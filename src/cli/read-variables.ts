import { SortieError } from "../base/error.ts";
import { isExportable } from "../supervise/make-request.ts";
import { readEnvFile } from "./env-file.ts";
import type { Io } from "./io.ts";
import { resolvePath } from "./resolve-path.ts";

/** The variables of `--env-file` and `--env`, the latter on top. @throws value_bad, file_unreadable */
export function readVariables(
  io: Io,
  options: { readonly env?: readonly string[]; readonly envFile?: readonly string[] },
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const file of options.envFile ?? []) Object.assign(variables, readEnvFile(resolvePath(io, file)));
  for (const pair of options.env ?? []) Object.assign(variables, readPair(io, pair));
  return variables;
}

function readPair(io: Io, pair: string): Record<string, string> {
  const [name = "", ...rest] = pair.split("=");
  if (rest.length > 0) {
    checkName(name);
    return { [name]: rest.join("=") };
  }
  const value = isExportable(name) ? io.env[name] : undefined;
  if (value !== undefined) return { [name]: value };
  // What has no `=` may be a value whose name was forgotten: it is not repeated.
  throw new SortieError("value_bad", {
    what: "--env",
    value: "taken",
    reason: "one of them has no `=` and is not the name of a variable that is set here",
    advice: "Write --env NAME=value, or --env NAME to pass on the one that you have.",
  });
}

function checkName(name: string): void {
  if (isExportable(name)) return;
  throw new SortieError("value_bad", {
    what: "--env",
    value: JSON.stringify(name),
    reason: "a shell cannot set a variable of this name",
    advice: "Write --env NAME=value, or --env NAME to pass on the one that you have.",
  });
}
