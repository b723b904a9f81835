import { quoteCommand } from "../../base/quote.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import { splitPipArguments } from "./pip-arguments.ts";
import { makeRunCommand } from "./run-command.ts";

/** What builds an environment on a host. */
export interface HostTool {
  readonly tool: "venv" | "uv" | "conda";
  /** `3.11`, or a path of an interpreter (venv and uv); null: whichever the tool takes. */
  readonly python: string | null;
}

export interface HostBuildTerms extends HostTool {
  /** `check` (the default) never installs a package on a person's host; `install` is for machines that are ours alone. */
  readonly systemPkgs?: "check" | "install";
  /** The environment also sees the packages of the Python that it is made of, as in a container image. */
  readonly seesSystemSite?: boolean;
}

export interface BuildStep {
  /** For people: `pip 2`. */
  readonly name: string;
  /** Of the shell function that is the step. */
  readonly function: string;
  /** Its lines; the last one's code is the step's. */
  readonly body: readonly string[];
}

/** What is missing on the host is told first: the other steps may take many minutes. */
export function makeBuildSteps(spec: EnvSpec, terms: HostBuildTerms): BuildStep[] {
  const { systemPkgs, pipPhases, runCommands } = spec;
  return [
    ...(systemPkgs.length === 0 ? [] : [makeSystemStep(systemPkgs, terms)]),
    { name: "python", function: "sortie_make_python", body: makePython(terms) },
    ...pipPhases.map((phase, index) => ({
      name: `pip ${index + 1}`,
      function: `sortie_pip_${index + 1}`,
      body: [installPhase(phase, terms)],
    })),
    ...runCommands.map((command, index) => ({
      name: `run ${index + 1}`,
      function: `sortie_run_${index + 1}`,
      body: [makeRunCommand(command)],
    })),
  ];
}

function makeSystemStep(packages: readonly string[], { systemPkgs }: HostBuildTerms): BuildStep {
  const words = quoteCommand(packages);
  const body =
    systemPkgs === "install"
      ? [
          "apt-get update &&",
          `DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -- ${words}`,
        ]
      : [`sortie_check_system ${words}`];
  return { name: "system", function: "sortie_system", body };
}

function makePython({ tool, python, seesSystemSite }: HostBuildTerms): string[] {
  const site = seesSystemSite ? "--system-site-packages " : "";
  switch (tool) {
    case "venv":
      return ['sortie_find_python "$sortie_python" &&', `"$sortie_found" -m venv ${site}"$sortie_prefix"`];
    case "uv": {
      // A version that a project asks for by other files is not what the spec asks for.
      const wanted = python === null ? "" : ' --python "$sortie_python"';
      return [
        "sortie_find_uv &&",
        `"$sortie_found" venv --no-project ${site}${wanted.trim()} "$sortie_prefix"`,
      ];
    }
    case "conda": {
      const wanted = python === null ? "python" : '"python=$sortie_python"';
      return ["sortie_find_conda &&", `"$sortie_found" create -y -q -p "$sortie_prefix" ${wanted} pip`];
    }
  }
}

function installPhase(phase: readonly string[], { tool }: HostBuildTerms): string {
  const words = quoteCommand(splitPipArguments(phase));
  if (tool === "uv") return `"$sortie_found" pip install --python "$sortie_prefix/bin/python" ${words}`;
  return `"$sortie_prefix/bin/python" -m pip install --no-input --disable-pip-version-check ${words}`;
}
