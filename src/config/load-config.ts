import { findHome, type Home } from "../disk/home.ts";
import { findProject } from "./find-project.ts";
import { type Footprint, makeRecordingReader, type RecordingReader } from "./footprint.ts";
import type { HomeConfig } from "./home-config.ts";
import type { ConfigIssue } from "./issue.ts";
import type { KeyName } from "./keys/table.ts";
import type { ConfigSecret } from "./section-values.ts";
import type { KeyValue, Target } from "./target.ts";
import { readVariables } from "./variables.ts";

/** All that is configured for a working folder, with what is wrong in it. */
export interface Config {
  readonly cwd: string;
  /** The person's home folder. */
  readonly home: string;
  /** Sortie's own files. */
  readonly paths: Home;
  /** Absolute paths of the project's files that were used; empty where there is none. */
  readonly files: readonly string[];
  readonly targets: readonly Target[];
  /** What holds for the whole project file. */
  readonly defaults: ReadonlyMap<KeyName, KeyValue>;
  readonly settings: {
    readonly variables: ReadonlyMap<KeyName, unknown>;
    /** config.yaml in Sortie's home folder. */
    readonly home: ReadonlyMap<KeyName, KeyValue>;
  };
  readonly secrets: readonly ConfigSecret[];
  readonly warnings: readonly ConfigIssue[];
  readonly errors: readonly ConfigIssue[];
  /** A project file that could not be read; until it can be, only `--target local` runs. */
  readonly unreadable: { readonly path: string; readonly reason: string } | null;
  readonly footprint: Footprint;
}

export interface ConfigPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly home: string;
}

/** Reads the project's file, config.yaml and the SORTIE_ variables. What is wrong is listed, never thrown. */
export async function loadConfig({ cwd, env, home }: ConfigPlace): Promise<Config> {
  const reader = makeRecordingReader();
  const loadParser = async () => (await import("./parse-project.ts")).parseProject;
  const project = await findProject({ cwd, home, reader, loadParser });
  const paths = findHome({ ...env, HOME: home });
  const homeConfig = await loadHomeConfig(paths.config, reader.read);
  const variables = readVariables(env);
  const text = project.text;
  return {
    cwd,
    home,
    paths,
    files: project.file === null ? [] : [project.file],
    targets: text?.targets ?? [],
    defaults: text?.defaults ?? new Map(),
    settings: { variables: variables.values, home: homeConfig.values },
    secrets: [...(text?.secrets ?? []), ...homeConfig.secrets],
    warnings: [...project.warnings, ...(text?.warnings ?? []), ...homeConfig.warnings, ...variables.warnings],
    errors: [...project.errors, ...(text?.errors ?? []), ...homeConfig.errors, ...variables.errors],
    unreadable: project.unreadable,
    footprint: reader.footprint,
  };
}

/** What config.yaml sets, the file being read by `read`. */
export async function loadHomeConfig(file: string, read: RecordingReader["read"]): Promise<HomeConfig> {
  const none = { values: new Map(), secrets: [], warnings: [], errors: [] };
  const reading = read(file);
  if (reading.state === "absent") return none;
  if (reading.state === "text") return (await import("./home-config.ts")).parseHomeConfig(reading.text, file);
  const message = `cannot be read: ${reading.reason}`;
  const issue = {
    file: file,
    line: null,
    target: null,
    key: "config.yaml",
    message,
    nearest: null,
  };
  return { ...none, errors: [issue] };
}
