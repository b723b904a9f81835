import { execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { useServerStage } from "./server-stage.ts";
import { findTool } from "./shells.ts";
import { SORTIE } from "./sortie.ts";
import type { TestSshd } from "./sshd.ts";
import { type Wheel, writeWheel } from "./wheel.ts";

type Spec = Readonly<Record<string, unknown>>;

/** A person's project with an environment specification, whose runs go to a host; all that the host gets lies in one folder. */
export function useContractStage(sshd: () => TestSshd) {
  const stage = useServerStage(sshd);
  const onHost = (...names: string[]) => join(stage.temp(), "host", ...names);
  const wheels = () => join(stage.temp(), "wheels");
  const envs = () => onHost("envs");
  const callsFile = () => join(stage.temp(), "ssh-calls");

  const addWheel = (wheel: Wheel) => {
    mkdirSync(wheels(), { recursive: true });
    writeWheel(wheels(), wheel);
  };
  /** One call of pip, out of the folder of wheels alone. */
  const makePhase = (...packages: readonly string[]) => ["--no-index", "--find-links", wheels(), ...packages];
  /** The environment's name is `train`. It is made by a Python that takes a tenth of the time that others take. */
  const writeSpec = (spec: Spec, { root = stage.project() } = {}) => {
    const lines = Object.entries({
      base: `venv:${writeQuickPython(join(sshd().hostHome, "my tools"))}`,
      ...spec,
    });
    const text = lines.map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join("");
    stage.write({ "env-specs/train.yaml": text }, root);
  };
  const writePlaces = (more: readonly string[] = [], options: { alias?: string; root?: string } = {}) =>
    stage.writeSection(
      [
        `- Code dir: \`${onHost("code")}\``,
        `- job_dir: \`${onHost("jobs")}\``,
        `- env_dir: \`${envs()}\``,
        ...more,
      ],
      options,
    );
  const readLedger = (alias = "box") => readText(join(stage.project(), ".aris", "compute", `${alias}.md`));

  /** Variables with which each call of ssh is written down. */
  const makeCountingEnv = () => {
    const programs = join(stage.temp(), "programs");
    mkdirSync(programs, { recursive: true });
    const ssh = findTool("ssh");
    // The watcher asks, too, when it likes: a call is known by who makes it.
    const text = `#!/bin/sh\ntr '\\0\\n' '  ' <"/proc/$PPID/cmdline" >>"$SSH_CALLS"; echo >>"$SSH_CALLS"\nexec ${ssh} "$@"\n`;
    writeFileSync(join(programs, "ssh"), text);
    chmodSync(join(programs, "ssh"), 0o755);
    return { PATH: `${programs}${delimiter}${process.env["PATH"]}`, SSH_CALLS: callsFile() };
  };

  /** A command that is not waited for. */
  const begin = (args: readonly string[]) => {
    const env = stage.makeEnv({ HOME: sshd().personHome, XDG_RUNTIME_DIR: sshd().socketFolder });
    const child = spawn(process.execPath, [SORTIE, ...args], {
      env: env as NodeJS.ProcessEnv,
      cwd: stage.project(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
    const exitCode = new Promise<number | null>((resolve) => child.on("close", resolve));
    return {
      kill: (signal: NodeJS.Signals) => child.kill(signal),
      exitCode,
      readOutput: () => Buffer.concat(said).toString(),
    };
  };

  return {
    ...stage,
    ...{
      begin,
      onHost,
      envs,
      wheels,
      addWheel,
      makePhase,
      writeSpec,
      writePlaces,
      readLedger,
      makeCountingEnv,
    },
    /** Commands that have called ssh, a line each. */
    readCalls: () =>
      readText(callsFile())
        .split("\n")
        .filter((line) => line !== "" && !/ watch |^rsync .* --sender|Se\.Lsfx/.test(line)),
    /** The environments and builds that are there. */
    listEnvs: () =>
      (existsSync(envs()) ? readdirSync(envs()) : [])
        .filter((name) => !name.startsWith(".") && !/^(logs|records)$/.test(name))
        .sort(),
    readLog: (name: string) => readText(join(envs(), "logs", name)),
  };
}

/**
 * A Python that makes environments with a pip which is there already, instead of unpacking one for each. Others than this
 * user may use it.
 */
export function writeQuickPython(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const place = join(folder, "pip alone");
  const say = "import os, pip; print(os.path.dirname(pip.__file__))";
  if (!existsSync(place)) {
    const pip = execFileSync("python3", ["-c", say], { encoding: "utf8" }).trim();
    cpSync(pip, join(place, "pip"), { recursive: true });
  }
  const path = join(folder, "quick python");
  writeFileSync(
    path,
    QUICK_PYTHON.replace("@PIP@", () => place),
  );
  chmodSync(path, 0o755);
  return path;
}

const QUICK_PYTHON = `#!/bin/sh
[ "$2" = venv ] || exec python3 "$@"
python3 "$@" --without-pip || exit
for folder; do :; done
for place in "$folder"/lib/python*/site-packages; do
  cat >"$place/pip.pth" <<'PTH' || exit
@PIP@
PTH
done
`;

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
