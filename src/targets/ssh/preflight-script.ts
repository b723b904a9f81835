import { findGlobBase } from "../../base/globs.ts";
import { quoteCommand, quotePath } from "../../base/quote.ts";
import { makeSettings } from "../../base/script.ts";
import { makeStatusScript } from "../../env/build/status.ts";
import { CHECK_TIMEOUT_MS, type CheckTerms, makeCheckScript } from "../../env/check-environment.ts";
import { makeWandbProbe, type WandbQuestion } from "../../env/wandb/probe-wandb.ts";
import { makeGpuProbe } from "../../gpus/make-probe.ts";
import { PROBE_SECONDS } from "../../gpus/parse-report.ts";
import processFunctions from "../../runs/scripts/process.sh";
import { makeCheckoutProbe } from "../../sync/git-sync/server-checkout.ts";
import type { ContractQuestion, PreflightRequest } from "../target.ts";
import { makeHostScript, makeJobDirSetting, makePathSettings } from "./host-script.ts";
import logout from "./scripts/logout.sh";
import nodes from "./scripts/nodes.sh";
import preflight from "./scripts/preflight.sh";

const MARGIN_MS = 30_000;

/** Random words, one for each part of the answer. */
export interface PreflightTokens {
  readonly facts: string;
  readonly environment: string;
  readonly gpus: string;
  readonly checkout: string;
  readonly contract: string;
  readonly wandb: string;
}

/** How long the host may take for it. */
export const PREFLIGHT_MS = CHECK_TIMEOUT_MS + PROBE_SECONDS * 1000 + MARGIN_MS;

/** One script for all that a plan needs to know of a host; `readPreflight` reads what it prints. */
export function makePreflightScript(
  request: PreflightRequest,
  jobDir: string | null,
  tokens: PreflightTokens,
): string {
  return makeHostScript([
    makeSettings({ sortie_token: tokens.facts, sortie_versions: request.asksVersions ? "yes" : "" }),
    makeJobDirSetting(jobDir),
    makePathSettings({ sortie_folder: request.folder, sortie_code_dir: request.codeDir ?? request.folder }),
    processFunctions,
    logout,
    preflight,
    'echo "begin=$sortie_token"',
    "tell_host",
    "tell_tools",
    'tell_disk "$sortie_job_dir"',
    'tell_disk "$sortie_code_dir"',
    "tell_live_runs",
    ...request.inputs.flatMap(makeInputCall),
    'echo "end=$sortie_token"',
    ...(request.asksGit ? [makeCheckout(request, tokens.checkout)] : []),
    ...(request.environment === null ? [] : [makeCheck(request, tokens.environment)]),
    ...(request.contract ? [makeContractPart(request, request.contract, tokens.contract)] : []),
    ...(request.wandb ? [makeWandbPart(request, request.wandb, tokens.wandb)] : []),
    ...(request.asksNode ? [nodes, makeNodesCall(tokens.facts)] : []),
    ...(request.gpus ? [makeGpuProbe({ token: tokens.gpus })] : []),
    'echo "done=$sortie_token"',
  ]);
}

/** Addresses of other kinds are not looked at. */
function makeInputCall(path: string, place: number): string[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return [];
  const base = findGlobBase(path);
  // The empty base of a pattern is the folder itself.
  return [`tell_missing ${place} ${quotePath(path)} ${quotePath(base === path ? path : base || ".")}`];
}

/** What a check needs beside its request, in the script and for reading its answer. */
export function makeCheckTerms({ command, project }: PreflightRequest, token: string): CheckTerms {
  return { token, command, project };
}

function makeCheck(request: PreflightRequest, token: string): string {
  if (request.environment === null) return "";
  const { shell, text } = makeCheckScript(request.environment, makeCheckTerms(request, token));
  const call = quoteCommand(["check_environment", shell, text]);
  return `echo "begin=$sortie_token-environment"\n${call}\necho "end=$sortie_token-environment"`;
}

function makeCheckout({ codeDir, folder }: PreflightRequest, token: string): string {
  return `echo begin=${token}\n${makeCheckoutProbe(codeDir ?? folder)}\necho end=${token}`;
}

/** In a shell of its own, since its functions have names of their own. The check has left the interpreter behind. */
function makeContractPart(
  { project }: PreflightRequest,
  { isOwn, ...wanted }: ContractQuestion,
  token: string,
): string {
  const own = isOwn ? { variable: "sortie_python" } : null;
  return ["(", makeStatusScript({ ...wanted, own, project, token }), ")"].join("\n");
}

/** The same for W&B. */
function makeWandbPart({ project }: PreflightRequest, wandb: WandbQuestion, token: string): string {
  const python = { variable: "sortie_python" };
  return ["(", makeWandbProbe({ ...wandb, token, python, project }), ")"].join("\n");
}

/** The interpreter that the check has found stays behind for it. */
function makeNodesCall(token: string): string {
  return `echo begin=${token}-nodes\nsortie_python=\${sortie_python:-}\ntell_nodes\necho end=${token}-nodes`;
}
