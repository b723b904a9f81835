import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { quotePath } from "../../base/quote.ts";
import { findPersonalHome } from "../../disk/home.ts";
import { type FoundDocument, findDocument } from "../../env/document/find-document.ts";
import { findBlock, type LedgerBlock, parseLedger } from "../../env/ledger/parse-ledger.ts";
import { bindToFolder } from "../../env/render/bind-to-folder.ts";
import { type ChosenTool, chooseTool } from "../../env/render/choose-tool.ts";
import { hashRequirements } from "../../env/render/hash-requirements.ts";
import type { LoadedSpec } from "../../env/spec/env-spec.ts";
import { loadSpec } from "../../env/spec/load-spec.ts";
import type { ContractQuestion } from "../../targets/target.ts";
import { chooseEnvironment } from "../choose-environment.ts";
import type { ChosenTarget } from "../choose-target.ts";
import type { Desk } from "../desk.ts";
import { chooseSpec } from "./find-spec.ts";
import { placeLedger } from "./ledger-place.ts";

/** What is known at home of the environment that a target's runs are under contract for. */
export interface Contract {
  readonly name: string;
  readonly loaded: LoadedSpec;
  readonly owner: "sortie" | "person";
  /** 8 digits of what a build depends on beside its specification; null: nothing. */
  readonly inputs: string | null;
  /** Of them what the requirement files say. */
  readonly required: string | null;
  readonly requirements: readonly string[];
  readonly envsDir: string;
  readonly tool: ChosenTool;
  readonly ledger: { readonly path: string; readonly block: LedgerBlock | null };
  readonly how: string;
  readonly document: FoundDocument;
  /** For people. */
  readonly warnings: readonly string[];
}

/**
 * The contract of a target's runs; null: the project specifies no environment. `wanted` is what a flag names.
 * @throws spec_missing, spec_ambiguous, spec_doubled, spec_unreadable, spec_bad
 */
export async function findContract(
  desk: Pick<Desk, "home" | "env">,
  chosen: ChosenTarget,
  wanted: string | null,
): Promise<Contract | null> {
  const { projectFolder, settings } = chosen;
  const file = chooseSpec(projectFolder, wanted ?? settings.envSpec);
  if (file === null) return null;
  const loaded = loadSpec(file.path);
  const owner = hasOwnEnvironment(chosen) ? "person" : "sortie";
  const envsDir = findEnvsDir(desk, chosen);
  const tool = chooseTool(loaded.spec.base);
  const { hash: required, requirements } = readRequirements(loaded, projectFolder);
  const folder = chosen.ssh === null ? projectFolder : (chosen.section.codeDir ?? "");
  const inputs = bindToFolder(required, { spec: loaded.spec, requirements, folder });
  const { name } = file;
  const path = placeLedger(chosen);
  const { blocks, warnings } = parseLedger(readText(path));
  const block = findBlock(blocks, { name, hash: loaded.hash });
  const how =
    owner === "person"
      ? "made by hand, as the target's section enters it"
      : describeBuild(tool, nameForAll(envsDir, desk.env), name);
  const readme = join(projectFolder, "README.md");
  const document = findDocument({
    ledger: {
      file: nameFile(projectFolder, path),
      block: { ...(block ?? makeEmptyBlock(name, loaded.hash)), how: block?.how ?? how },
    },
    readme: { file: "README.md", text: readText(readme) },
  });
  return {
    ...{ name, loaded, owner, inputs, required, requirements, envsDir, tool, how, document },
    ledger: { path, block },
    warnings: [
      ...loaded.warnings,
      ...warnings.map((warning) => `${nameFile(projectFolder, path)}: ${warning}`),
      ...document.warnings,
      ...(owner === "sortie" && tool.warning !== null ? [tool.warning] : []),
    ],
  };
}

/** What a host is asked about it. */
export function makeContractQuestion(
  { envsDir, name, loaded, inputs, owner }: Contract,
  { asksCards }: { asksCards: boolean },
): ContractQuestion {
  return { envsDir, name, hash: loaded.hash, inputs, isOwn: owner === "person", asksCards };
}

function hasOwnEnvironment({ section }: ChosenTarget): boolean {
  return chooseEnvironment(section, { cwd: "/", home: "~" }).kind !== "caller";
}

function findEnvsDir({ home }: Pick<Desk, "home">, { settings, ssh }: ChosenTarget): string {
  const { envDir } = settings;
  if (ssh !== null) return envDir === null ? "~/.sortie/envs" : /^[~/]/.test(envDir) ? envDir : `~/${envDir}`;
  return envDir === null ? home.envs : envDir.startsWith("~") ? envDir : resolve(envDir);
}

/** What the requirement files of a specification say, with its hash. @throws spec_bad where one cannot be read */
export function readRequirements(
  { spec, file }: LoadedSpec,
  folder: string,
): { readonly hash: string | null; readonly requirements: readonly string[] } {
  const lines: string[] = [];
  const hash = hashRequirements(spec, (path) => {
    try {
      const text = readFileSync(resolve(folder, path), "utf8");
      lines.push(...text.split(/\r?\n/));
      return text;
    } catch (fault) {
      const reason = `it installs the requirements of ${path}, which cannot be read (${describeFault(fault)})`;
      const advice = "Paths in a specification begin at the project's folder: correct it there.";
      throw new SortieError("spec_bad", { file, place: "", reason, advice });
    }
  });
  return { hash, requirements: lines.map((line) => line.trim()).filter((line) => line !== "") };
}

function describeBuild({ tool }: ChosenTool, envsDir: string, name: string): string {
  const folder = `${envsDir}/${name}`;
  const enter =
    tool === "conda" ? `conda activate ${quotePath(folder)}` : `. ${quotePath(`${folder}/bin/activate`)}`;
  return `built by \`sortie env build ${name}\` with ${tool}; enter it with \`${enter}\``;
}

function makeEmptyBlock(name: string, hash: string): LedgerBlock {
  return {
    name,
    hash,
    line: 1,
    how: null,
    tier: null,
    weights: null,
    validated: null,
    gotchas: [],
    text: "",
  };
}

/** Those who read the ledger have homes of their own. */
function nameForAll(path: string, env: Desk["env"]): string {
  const home = findPersonalHome(env);
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** As the project's people know it: what is told of it may get into the ledger, which others read. */
function nameFile(projectFolder: string, path: string): string {
  const name = relative(projectFolder, path);
  return name.startsWith("..") ? path : name;
}

/** Empty where there is no such file. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // nothing is written there yet, or it is not for us to read
  }
}
