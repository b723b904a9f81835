import { isLoopbackHost } from "../../base/loopback.ts";
import { makeSettings, readAnswer } from "../../base/script.ts";
import probe from "../scripts/probe-wandb.sh";

/** What a host is asked about W&B. */
export interface WandbQuestion {
  /** The address of its server, checked before. */
  readonly url: string;
  /** A key comes along with the run. */
  readonly isKeyBrought: boolean;
}

/** What it has for W&B. */
export interface WandbFacts {
  /** Of the package in the run's environment; null: it is not there. */
  readonly version: string | null;
  /** Where a key of its own lies; null: there is none. */
  readonly login: "environment" | "netrc" | null;
  /** Whether the server answered; null: it was not asked, or nothing there can ask. */
  readonly answers: boolean | null;
}

export interface WandbProbeTerms extends WandbQuestion {
  readonly token: string;
  /** The environment's interpreter, or the shell variable that holds it; null: it has none. */
  readonly python: string | { readonly variable: string } | null;
  /** Folders whose programs are looked at, never run. */
  readonly project: readonly string[];
}

/** The script of it, for `sh -s`, alone or in a group of a longer one. */
export function makeWandbProbe({ url, isKeyBrought, token, python, project }: WandbProbeTerms): string {
  const { host, hostname } = new URL(url);
  const settings = makeSettings({
    sortie_token: token,
    ...(python === null || typeof python === "string" ? { sortie_python: python ?? "" } : {}),
    sortie_project: project.join("\n"),
    sortie_url: url,
    sortie_machine: host,
    sortie_direct: isLoopbackHost(hostname) ? "yes" : "",
    sortie_key: isKeyBrought ? "yes" : "",
  });
  const found = typeof python === "object" && python ? `sortie_python=\${${python.variable}:-}\n` : "";
  return `${settings}${found}${probe}\ntell_wandb\n`;
}

/** Nothing is known where the script did not come to its end. */
export function readWandbFacts(stdout: string, token: string): WandbFacts {
  const values: Partial<Record<string, string>> = Object.fromEntries(readAnswer(stdout, token) ?? []);
  const { version, login, answers } = values;
  return {
    version: version || null,
    login: login === "environment" || login === "netrc" ? login : null,
    answers: answers === "yes" ? true : answers === "no" ? false : null,
  };
}
