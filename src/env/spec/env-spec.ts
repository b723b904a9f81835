/** What an environment is, as its spec file says; what a file leaves out is empty. */
export interface EnvSpec {
  /** A Python (`python:3.11`), a tool (`conda:3.11`, `uv:3.12`, `venv`), or a container image; null: the host's Python. */
  readonly base: string | null;
  /** Packages of the system, by the names of its package manager. */
  readonly systemPkgs: readonly string[];
  /** Arguments of pip, one install call each, in this order. */
  readonly pipPhases: readonly (readonly string[])[];
  /** Variables of every run in it. */
  readonly env: Readonly<Record<string, string>>;
  /** Shell lines, run in the environment after the last phase. */
  readonly runCommands: readonly string[];
  readonly weightDirs: readonly WeightDir[];
  readonly smoke: SmokeTests;
}

/** A folder or file of weights that must be there. */
export interface WeightDir {
  /** On the host; absolute, from `~/` on, or from the project's folder. */
  readonly path: string;
  /** Where they come from, in words or as an address; null: not said. */
  readonly source: string | null;
  /** Access to the source must be granted first. */
  readonly gated: boolean;
  /** The variable that names the path to programs; null: none. */
  readonly env: string | null;
}

export interface SmokeTests {
  readonly importNames: readonly string[];
  /** Commands that use a GPU: each must exit with 0 and print what the pattern matches. */
  readonly gpuTests: readonly { readonly cmd: string; readonly expect: string }[];
  /** Commands that must exit with 0; with `expect`, their output must match it, too. */
  readonly cliChecks: readonly { readonly cmd: string; readonly expect: string | null }[];
}

/** A spec as it was read from its file. */
export interface LoadedSpec {
  readonly file: string;
  readonly spec: EnvSpec;
  /** The first 8 hex digits of the sha256 of its canonical JSON. */
  readonly hash: string;
  /** For people, each with its line. */
  readonly warnings: readonly string[];
  /** Values that look like secrets, by their place in the spec. */
  readonly secrets: readonly { readonly at: string; readonly line: number }[];
}
