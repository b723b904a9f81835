import { formatDollars } from "../../base/dollars.ts";
import { toSortieError } from "../../base/error.ts";
import type { Target as TargetSection } from "../../config/target.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { findEndpoint } from "../../targets/vast/find-endpoint.ts";
import { findVastKey } from "../../targets/vast/find-key.ts";
import type { Environment } from "../desk.ts";
import { type Finding, makeFinding } from "../finding.ts";
import { checkSshKey } from "./check-ssh-key.ts";
import { openAccount, type Vast } from "./open-account.ts";

const MOST_MS = 15_000;

/** Whether a target of Vast.ai's can be used: the key, the SSH key on the account, the instance. Nothing is rented, or changed. */
export async function examineVast({ name, vast, ssh }: TargetSection, env: Environment): Promise<Finding[]> {
  const number = vast?.instance ?? null;
  try {
    const { source } = findVastKey(env);
    const account = openAccount({ env, leaving: AbortSignal.timeout(MOST_MS) });
    const findings = [
      number === null ? examineCredit(name, account) : examineInstance(name, account, number),
      examineSshKey(name, () => checkSshKey({ env, runner: makeLocalRunner() }, account, ssh ?? null)),
    ];
    return [makeFinding(`${name} key`, "ok", `from ${source}`), ...(await Promise.all(findings))];
  } catch (fault) {
    return [makeWarning(`${name} key`, fault)];
  }
}

async function examineInstance(name: string, account: Vast, number: number): Promise<Finding> {
  const what = `${name} instance`;
  try {
    const found = await account.loadInstance(number);
    if (found === null)
      return makeFinding(what, "warning", `the account has no instance ${number}`, "See `sortie vast ls`.");
    const { gpuCount, gpuName, status, dollarsPerHour } = found;
    const endpoint = findEndpoint(found);
    const place = endpoint === null ? "no address" : `${endpoint.host}:${endpoint.port} (${endpoint.way})`;
    const detail = `${number}, ${gpuCount} × ${gpuName}, ${status}, ${formatDollars(dollarsPerHour)} an hour while it runs, ${place}`;
    if (status === "running") return makeFinding(what, "ok", detail);
    return makeFinding(what, "warning", detail, "Start it on the vendor's page, which costs from then on.");
  } catch (fault) {
    return makeWarning(what, fault);
  }
}

async function examineCredit(name: string, account: Vast): Promise<Finding> {
  const what = `${name} account`;
  try {
    const credit = await account.loadCredit();
    const left = credit === null ? "of unknown credit" : `with ${formatDollars(credit)} left`;
    return makeFinding(what, "ok", `${left}; a machine is rented for each run`);
  } catch (fault) {
    return makeWarning(what, fault);
  }
}

async function examineSshKey(name: string, check: () => Promise<void>): Promise<Finding> {
  const what = `${name} SSH key`;
  try {
    await check();
    return makeFinding(what, "ok", "one of yours is on the account");
  } catch (fault) {
    return makeWarning(what, fault);
  }
}

/** A section that nobody uses today is no reason to call all else bad. */
function makeWarning(what: string, fault: unknown): Finding {
  const { message, hint } = toSortieError(fault);
  return makeFinding(what, "warning", message, hint);
}
