import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { formatDuration } from "../base/duration.ts";
import { isSecretName } from "../base/secret-name.ts";
import { describeProvenance } from "../sync/provenance.ts";
import { listContractEffects } from "./environment/describe-contract.ts";
import { describeHost } from "./host-name.ts";
import { listModalEffects } from "./modal/describe-modal.ts";
import type { GpusOfRun, PlanTerms } from "./plan.ts";
import { describeSync } from "./remote/describe-remote.ts";
import { describeInstanceEnd, describeInstanceNotes } from "./rent/describe-instance.ts";
import type { ScriptTerms, WandbTerms } from "./wandb/wandb-terms.ts";

/** Everything that confirming will change in the world, in words. */
export function makeSideEffects(terms: Omit<PlanTerms, "sideEffects">, { busy }: GpusOfRun): string[] {
  const { name, request, target, gpus, jobDir, remote, environment } = terms;
  if (terms.modal) return listModalEffects(terms, terms.modal);
  const effects = [
    ...(terms.wandb?.change ? [describeChange(terms.wandb.change, terms)] : []),
    ...(remote ? describeSync(remote, target.host) : []),
    ...(environment.contract ? listContractEffects(environment.contract, target.host) : []),
    `start the command on ${describeHost(target.host)}, detached`,
    ...(terms.instance ? [describeInstanceEnd(terms.instance)] : []),
  ];
  if (terms.wandb) effects.push(describeLogging(terms.wandb));
  if (busy) effects.push(`wait in line for a GPU${formatPatience(request.waitGpuS)}`);
  if (typeof gpus.count === "number" && gpus.count > 0) {
    effects.push(`hold ${gpus.count === 1 ? "one GPU" : `${gpus.count} GPUs`} until it ends`);
  }
  effects.push(`open a screen session called ${name}, where the host has screen`);
  effects.push(`make a job folder in ${jobDir}${remote ? ` on ${target.host}` : ""}`);
  effects.push("start Sortie's own process that watches runs, if none does; it goes when none is left");
  effects.push(
    `copy results (${request.results.join(", ")}) to ${request.resultsTo ?? "Sortie's home folder"} at the end`,
  );
  return effects;
}

function describeChange(
  { name, added, removed, metrics }: ScriptTerms,
  { remote }: Pick<PlanTerms, "remote">,
): string {
  const lines = [`+${added}`, ...(removed > 0 ? [`-${removed}`] : [])].join(" ");
  const next = remote ? "recorded and sent" : "recorded";
  return `write W&B logging into ${name} (${lines} lines: ${metrics.join(", ")}) before the code is ${next}`;
}

function describeLogging({ project, entity, name, mode, url, way, version }: WandbTerms): string {
  const place = `the W&B project ${entity === null ? "" : `${entity}/`}${project}`;
  if (way === "forward") {
    const where = mode === "online" ? `send them to ${url}` : "keep them among its results";
    return `forward the numbers of its log to W&B: no file is changed; ${where} once it has ended, for ${place}, as ${name}`;
  }
  // Where nothing is forwarded, what the script imports may log all the same.
  const what = way === "none" ? "what it logs by itself" : "metrics";
  const own =
    mode === "online"
      ? `send ${what} to ${url}, to ${place}, as ${name}`
      : `keep ${what} for ${place} on the host (mode ${mode}), as ${name}`;
  if (way !== "none") return own;
  const nothing = "forward nothing to W&B: the numbers of its log stay in `sortie show`";
  return version === null ? nothing : `${nothing}; ${own}`;
}

/** What a person should know before saying yes. */
export function makeNotes({
  terms,
  variables,
  gpus,
  visibleGpus,
}: {
  terms: PlanTerms;
  variables: Readonly<Record<string, string>>;
  gpus: GpusOfRun;
  /** The caller's own CUDA_VISIBLE_DEVICES. */
  visibleGpus: string | undefined;
}): string[] {
  const { request, code, instance } = terms;
  const notes = instance ? describeInstanceNotes(instance, terms) : [];
  if (code.kind === "none") notes.push(describeProvenance(code));
  const names = Object.keys(variables);
  if (names.length > 0) {
    const secret = names.filter(isSecretName);
    notes.push(
      `variables given: ${names.join(", ")}${secret.length > 0 ? "; values are kept in a private file" : ""}`,
    );
  }
  if (gpus.busy) notes.push(gpus.busy);
  if (visibleGpus !== undefined && terms.gpus.count !== 0) {
    notes.push(
      `your CUDA_VISIBLE_DEVICES=${visibleGpus} does not count here: the run sees the GPUs above; choose with --gpu`,
    );
  }
  if (isShellText(request)) {
    notes.push("the command is one word with spaces in it; shell text is run as: sortie run -- sh -c '…'");
  }
  return notes;
}

/** One word with spaces in it, and no program that is called so. */
function isShellText({ command: [word = "", ...more], cwd }: PlanTerms["request"]): boolean {
  return more.length === 0 && /\s/.test(word) && !existsSync(resolve(cwd, word));
}

function formatPatience(waitGpuS: number | null): string {
  if (waitGpuS === null || waitGpuS < 0) return "";
  return `, given up after ${formatDuration(waitGpuS)}`;
}
