import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildRequest } from "../../src/env/build/build-script.ts";
import type { EnvHost } from "../../src/env/env-host.ts";
import type { EnvSpec } from "../../src/env/spec/env-spec.ts";
import { isSoak } from "./effort.ts";
import { makeLocalEnvHost, makeSshEnvHost } from "./env-host.ts";
import { useSshd } from "./sshd.ts";
import { makeHostFolder } from "./target-places.ts";
import { useTempFolder } from "./temp-folder.ts";

/** A host of which everything lies below one folder with an awkward name, and what is built on it. */
export interface EnvStage {
  readonly host: EnvHost;
  readonly home: string;
  readonly envs: string;
  readonly project: string;
  /** The environments and builds that are there. */
  list(): string[];
  /** The lines that `count` of a step has written. */
  readRuns(): string[];
  makeHost(env?: Readonly<Record<string, string>>): EnvHost;
  /** Cuts every connection to it; on this machine there is none. */
  cut(): void;
  makeRequest(change?: Partial<BuildRequest>, spec?: Partial<EnvSpec>): BuildRequest;
}

/** A step that leaves a line where `readRuns` finds it. */
export const COUNT = 'echo run >>"$HOME/runs"';
/** A step that goes on until `$HOME/go` is there. */
export const WAIT = 'until [ -e "$HOME/go" ]; do sleep 0.05; done';

/** The kinds of hosts that everything must work on. */
export const HOST_KINDS = isSoak ? (["local", "ssh"] as const) : (["ssh"] as const);

/** One stage a test: `const stage = useEnvStage("ssh")` beside the tests, `stage()` inside them. */
export function useEnvStage(kind: "local" | "ssh"): () => EnvStage {
  const folder = useTempFolder();
  const sshd = kind === "ssh" ? useSshd() : null;
  let made: { readonly folder: string; readonly stage: EnvStage } | null = null;
  return () => {
    if (made?.folder !== folder()) {
      const home = sshd === null ? join(folder(), "home") : makeHostFolder(sshd());
      const makeHost = (env: Readonly<Record<string, string>> = {}) => {
        const all = { HOME: home, ...env };
        return sshd === null ? makeLocalEnvHost({ env: all }) : makeSshEnvHost(sshd(), { env: all });
      };
      made = { folder: folder(), stage: { ...makeStage(home, makeHost), cut: () => sshd?.().proxy.cut() } };
    }
    return made.stage;
  };
}

function makeStage(home: string, makeHost: EnvStage["makeHost"]): Omit<EnvStage, "cut"> {
  const [envs, project] = [join(home, ".sortie", "envs"), join(home, "my project")];
  mkdirSync(project, { recursive: true });
  const python = writeQuickPython(home);
  const noSmoke = { importNames: [], gpuTests: [], cliChecks: [] };
  const empty: EnvSpec = {
    ...{ base: null, systemPkgs: [], pipPhases: [], env: {}, runCommands: [], weightDirs: [] },
    smoke: noSmoke,
  };
  return {
    ...{ host: makeHost(), home, envs, project, makeHost },
    list: () => listFolder(envs).filter((name) => !name.startsWith(".") && !/^(logs|records)$/.test(name)),
    readRuns: () => readLines(join(home, "runs")),
    makeRequest: (change = {}, spec = {}) => ({
      ...{ envsDir: "~/.sortie/envs", name: "train", hash: "0123abcd", inputs: null },
      ...{ project: "~/my project", tool: "venv", python, spec: { ...empty, ...spec } },
      ...change,
    }),
  };
}

/** A Python that makes environments without pip, which takes a tenth of the time. */
function writeQuickPython(home: string): string {
  const path = join(home, "quick python");
  // Not a stand-in of a version manager, which needs half a second and much of PATH.
  const real = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  writeFileSync(path, `#!/bin/sh\n[ "$2" != venv ] || set -- "$@" --without-pip\nexec ${real.trim()} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

function listFolder(path: string): string[] {
  return existsSync(path) ? readdirSync(path).sort() : [];
}

function readLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}
