import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { quoteCommand, quoteShell } from "../../base/quote.ts";
import type { EnvSpec, WeightDir } from "../spec/env-spec.ts";
import { parseBase } from "./parse-base.ts";
import { parsePipPhase } from "./pip-arguments.ts";
import { findLocalPaths, listRequirementFiles } from "./requirement-files.ts";

/** Of images that hold no Python of their own. */
const ADDED_PYTHON = "3.11";
const BARE_IMAGE =
  /^(?:docker\.io\/)?(?:library\/)?(?:nvidia\/cuda|ubuntu|debian|rockylinux|almalinux)(?:[:@]|$)/;
/** Where the project's files lie in the image, as Modal puts the code of a function. */
const PROJECT = "/root";
const NOT_COPIED = [".git", ".venv", "**/__pycache__"];

export interface ModalTerms {
  readonly name: string;
  readonly hash: string;
}

/**
 * A Python module that defines the environment as `image` of Modal; it is to lie in the project's folder. Building the
 * object dials nothing: Modal builds the image when a function that uses it runs. @throws spec_unrenderable
 */
export function renderModal(spec: EnvSpec, { name, hash }: ModalTerms): string {
  const calls = [
    makeBase(spec.base),
    ...(spec.systemPkgs.length === 0 ? [] : [call("apt_install", spec.systemPkgs.map(quote))]),
    ...setVariables(spec),
    ...copyFiles(spec),
    ...spec.pipPhases.map((phase) => installPhase(phase, spec)),
    ...spec.runCommands.map((command) => call("run_commands", [quote(makeDockerLine(command))])),
  ];
  return [
    `"""The environment ${name}@${hash} as an image of Modal, made from its specification."""`,
    "",
    "import modal",
    "",
    "image = (",
    ...calls.map((text) => `    ${text}`),
    ")",
    ...describeWeights(spec.weightDirs),
    "",
  ].join("\n");
}

const quote = (text: string) => JSON.stringify(text);
const call = (method: string, args: readonly string[]) => `.${method}(${args.join(", ")})`;

function makeBase(base: string | null): string {
  const parsed = parseBase(base);
  if (parsed.kind === "image") {
    const added = BARE_IMAGE.test(parsed.image) ? [`add_python=${quote(ADDED_PYTHON)}`] : [];
    return `modal.Image${call("from_registry", [quote(parsed.image), ...added])}`;
  }
  // A path is one of a host.
  const version = parsed.python !== null && /^[\d.]+$/.test(parsed.python) ? parsed.python : null;
  const method = parsed.kind === "conda" ? "micromamba" : "debian_slim";
  return `modal.Image${call(method, version === null ? [] : [`python_version=${quote(version)}`])}`;
}

/** Before the phases, as on a host: what they compile may be told by variables. */
function setVariables({ weightDirs, env }: EnvSpec): string[] {
  const weights = weightDirs.flatMap((weights) =>
    weights.env === null ? [] : [[weights.env, place(weights.path)]],
  );
  const variables = { ...Object.fromEntries(weights), ...env } as Record<string, string>;
  const broken = Object.entries(variables).find(([, value]) => /[\r\n]/.test(value));
  if (broken !== undefined) throw refuseVariable(broken[0]);
  const pairs = Object.entries(variables).map(([name, value]) => `${quote(name)}: ${quote(value)}`);
  return pairs.length === 0 ? [] : [call("env", [`{${pairs.join(", ")}}`])];
}

/** Modal writes a variable as one line of the image's definition. */
function refuseVariable(name: string): SortieError {
  return new SortieError("spec_unrenderable", {
    ...{ provider: "Modal", reason: `the value of ${name} has several lines` },
    advice: `Take ${name} out of \`env\` and give it to the function that needs it, as a secret of Modal.`,
  });
}

function place(path: string): string {
  if (path.startsWith("/")) return path;
  return path === "~" ? PROJECT : `${PROJECT}/${path.replace(/^~\//, "").replace(/^\.\//, "")}`;
}

function copyFiles(spec: EnvSpec): string[] {
  const files = listRequirementFiles(spec);
  const whole = findLocalPaths(spec).length > 0;
  if (whole) {
    const ignored = `ignore=[${NOT_COPIED.map(quote).join(", ")}]`;
    return [
      call("add_local_dir", [quote("."), quote(PROJECT), "copy=True", ignored]),
      call("workdir", [quote(PROJECT)]),
    ];
  }
  if (files.length === 0) return [];
  return [
    ...files.map((file) => call("add_local_file", [quote(file), quote(place(file)), "copy=True"])),
    call("workdir", [quote(PROJECT)]),
  ];
}

/** Modal takes options apart, and drops a call without packages: that one is written as a command. */
function installPhase(phase: readonly string[], { base }: EnvSpec): string {
  const { packages, options } = parsePipPhase(phase);
  const words = quoteCommand(options.flatMap((option) => option.words));
  if (packages.length === 0) return call("run_commands", [quote(`python -m pip install ${words}`)]);
  const method = parseBase(base).kind === "uv" ? "uv_pip_install" : "pip_install";
  return call(method, [...packages.map(quote), ...(words === "" ? [] : [`extra_options=${quote(words)}`])]);
}

/** A command of several lines cannot stand in an image's definition; `%b` makes the lines again. */
function makeDockerLine(command: string): string {
  const text = command.trim();
  if (!text.includes("\n") && !text.endsWith("\\")) return text;
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return `sh -ec "$(printf %b ${quoteShell(escaped)})"`;
}

function describeWeights(weightDirs: readonly WeightDir[]): string[] {
  if (weightDirs.length === 0) return [];
  const lines = weightDirs.flatMap(({ path, source, gated }) => [
    `#   ${place(path)}${source === null ? "" : ` from ${source}`}${gated ? " (access must be granted first)" : ""}`,
    `#     volumes={${quote(place(path))}: modal.Volume.from_name("YOUR_VOLUME")}`,
  ]);
  return ["", "# Weights belong on volumes, which a function names:", ...lines.map(makeOneLine)];
}

function makeOneLine(text: string): string {
  return makePrintable(text).replaceAll("\n", " ");
}
