import type { ScriptDraft } from "./draft-script.ts";
import type { WandbDraft } from "./prepare-wandb.ts";
import type { WandbTerms } from "./wandb-terms.ts";

/** What can be done where no line is written into a script. */
export const OTHER_WAY =
  "without a change of the source, `sortie run` forwards the numbers that it prints from its log; or call `wandb.init` and `wandb.log` in it yourself";

/** What a person should know of W&B before saying yes. */
export function describeWandb(
  { script, key, settings }: WandbDraft,
  { login, mode, why, version }: Pick<WandbTerms, "login" | "mode" | "why" | "version">,
  { isMissing, isSpecified }: { readonly isMissing: boolean; readonly isSpecified: boolean },
): string[] {
  const place = isSpecified ? "the environment's specification" : "the run's environment";
  const use = login === "file" ? "goes with the run in a private file" : "is not used";
  return [
    ...(mode === "offline"
      ? [`W&B: the run is kept offline, as ${why}; \`sortie wandb sync\` sends it later`]
      : []),
    ...(mode === "online" && version !== null && isEndless(version)
      ? [
          `W&B: wandb ${version} waits at the end until all is sent and holds the GPU so long, also where its server hangs; 0.27 and newer give up`,
        ]
      : []),
    ...(isMissing ? [`W&B: the package wandb is not in ${place}: add it (pip install wandb)`] : []),
    ...describeScript(script, isMissing),
    ...(key === "file" ? [describeFileKey(settings.key?.place ?? "", use)] : []),
  ];
}

/** The package came to know of a limit, WANDB_FINISH_TIMEOUT, with version 0.27. */
function isEndless(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 0 && minor < 27;
}

function describeScript(script: ScriptDraft | null, isMissing: boolean): string[] {
  if (script === null)
    return [
      "W&B: the command names no Python script of the project, so none is changed: `sortie wandb instrument SCRIPT` does that alone, and `--wandb forward` forwards the numbers of its log",
    ];
  const { name } = script.kind === "change" ? script.terms : script;
  if (script.kind === "done") {
    const line = script.line === null ? "" : `, line ${script.line}`;
    return [`W&B: ${name} logs to it already (${script.by}${line}) and is left as it is`];
  }
  if (script.kind === "refused") {
    const line = script.line === null ? "" : ` (line ${script.line})`;
    return [
      `W&B: ${name} is left as it is: ${script.reason}${line}; numbers that it prints are shown by \`sortie show\``,
    ];
  }
  if (isMissing) return [`W&B: ${name} is left as it is, since it could not import wandb`];
  const { missing } = script.terms;
  return missing.length === 0 ? [] : [`W&B: ${name} has nothing for ${missing.join(", ")}`];
}

/** What a person should know of a key in a file of the project. @param use what becomes of it */
export function describeFileKey(place: string, use: string): string {
  return `W&B: the wandb_api_key of ${place} ${use}; a key in such a file reaches everyone who sees it: use \`wandb login\` or WANDB_API_KEY. The file is neither sent nor recorded`;
}
