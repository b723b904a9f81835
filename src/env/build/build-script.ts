import { quotePath, quoteShell } from "../../base/quote.ts";
import { makeSettings } from "../../base/script.ts";
import { VERSION } from "../../base/version.ts";
import type { HostTool } from "../render/build-steps.ts";
import { listBuildSteps, renderHostBuild } from "../render/host-build.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import { type EnvironmentKey, makeBuildSettings } from "./build-settings.ts";
import advance from "./scripts/advance.sh";
import builder from "./scripts/builder.sh";
import builds from "./scripts/builds.sh";
import cards from "./scripts/cards.sh";
import claim from "./scripts/claim.sh";
import point from "./scripts/point.sh";
import steps from "./scripts/steps.sh";
import stop from "./scripts/stop.sh";

export interface BuildRequest extends EnvironmentKey, HostTool {
  /** 8 digits of the requirement files that the spec names; null: it names none. */
  readonly inputs: string | null;
  readonly spec: EnvSpec;
  /** The project's folder on the host, in which every step runs: absolute, or from `~/` on. */
  readonly project: string;
  /** What a build may take at most; default twelve hours. */
  readonly limitS?: number;
}

/** What one look is about. */
export interface LookSettings {
  readonly token: string;
  /** By which the builder of this caller is known. */
  readonly word: string;
  /** The number of a build that another has left, so that it is not joined again; null: none. */
  readonly left: string | null;
  /** The number of the build that is followed; null: it is joined or started now. */
  readonly build: string | null;
  /** How many bytes of its log are known. */
  readonly fromByte: number;
  readonly followMs: number;
}

const LIMIT_S = 12 * 3600;

/** The script that looks after a build once, for `sh -s`: it ends by itself. */
export function makeLookScript(request: BuildRequest, look: LookSettings): string {
  const settings = makeSettings({
    sortie_token: look.token,
    sortie_word: look.word,
    sortie_left: look.left ?? "",
    sortie_build: look.build ?? "",
    sortie_from: String(look.fromByte),
    sortie_follow_ds: String(Math.round(look.followMs / 100)),
    // Who follows a build starts none.
    sortie_builder_text: look.build === null ? makeBuilder(request) : "",
  });
  const head = [makeBuildSettings(request, request.inputs), settings, makeFolderSetting(request)];
  return [...head, builds, claim, point, advance, "advance </dev/null", ""].join("\n");
}

/** The script that calls off the build that was started with this word. */
export function makeStopScript(
  request: BuildRequest,
  { token, word }: Pick<LookSettings, "token" | "word">,
): string {
  const settings = makeSettings({ sortie_token: token, sortie_word: word });
  const head = [makeBuildSettings(request, request.inputs), settings];
  return [...head, builds, claim, stop, "stop_build </dev/null", ""].join("\n");
}

function makeBuilder(request: BuildRequest): string {
  const settings = makeSettings({
    sortie_tool: request.tool,
    sortie_limit_s: String(request.limitS ?? LIMIT_S),
    sortie_version_of_us: VERSION,
    sortie_program: makeProgram(request),
  });
  const head = [makeBuildSettings(request, request.inputs), settings];
  return [...head, builds, claim, cards, point, builder, 'build "$1" "$2" </dev/null', ""].join("\n");
}

/** The steps, as a shell of their own reads them: nothing that they start may read the rest of the text. */
function makeProgram(request: BuildRequest): string {
  const { spec, tool, python } = request;
  const count = `sortie_steps=${quoteShell(String(listBuildSteps(spec).length))}`;
  const text = renderHostBuild(spec, { tool, python });
  return [`sortie_project=${quotePath(request.project)}`, count, steps, "{", text, "} </dev/null", ""].join(
    "\n",
  );
}

function makeFolderSetting({ project }: BuildRequest): string {
  return `sortie_folder=${quotePath(project)}\n`;
}
