import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
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
  const writeSpec = (spec: Spec, root = stage.project()) => {
    const lines = Object.entries({ base: `venv:${writeQuickPython(onHost())}`, ...spec });
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

/** A Python that makes environments which share this machine's pip, instead of unpacking one of their own. */
export function writeQuickPython(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "quick python");
  // Not a stand-in of a version manager, which needs half a second and much of PATH.
  const say = "import pip, sys, os; print(sys.executable); print(os.path.dirname(pip.__file__))";
  const [real = "", pip = ""] = execFileSync("python3", ["-c", say], { encoding: "utf8" }).split("\n");
  mkdirSync(join(folder, "pip alone"), { recursive: true });
  execFileSync("ln", ["-sfn", pip, join(folder, "pip alone", "pip")]);
  const text = `#!/bin/sh
[ "$2" = venv ] || exec ${realpathSync(real)} "$@"
${realpathSync(real)} "$@" --without-pip || exit
for last; do :; done
for place in "$last"/lib/python*/site-packages; do cat >"$place/pip.pth" <<PTH
${join(folder, "pip alone")}
PTH
done
`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
