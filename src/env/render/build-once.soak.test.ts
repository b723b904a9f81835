import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { findShells } from "../../../test/support/shells.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { writeWheel } from "../../../test/support/wheel.ts";
import { quoteShell } from "../../base/quote.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import { renderSlurm } from "./slurm.ts";
import { renderVast } from "./vast.ts";

const folder = useTempFolder();
const place = (name: string) => join(folder(), name);
const terms = { name: "lab", hash: "0123abcd" };

beforeEach(() => {
  for (const name of ["project", "home", "wheels", "bin"]) mkdirSync(place(name));
  writeWheel(place("wheels"), { name: "alpha", version: "1.0" });
});

function makeSpec(spec: Partial<EnvSpec> = {}): EnvSpec {
  const wheels = pathToFileURL(place("wheels")).href.replaceAll("'", "%27");
  return {
    ...{ base: "uv:3.11", systemPkgs: [], env: { GREETING: "it's $HOME" }, weightDirs: [] },
    pipPhases: [["--no-index", `--find-links ${wheels}`, "alpha"]],
    runCommands: ["python -c 'import alpha' && echo built >>built"],
    smoke: { importNames: [], gpuTests: [], cliChecks: [] },
    ...spec,
  };
}

function writeProgram(name: string, text: string): void {
  writeFileSync(place(`bin/${name}`), `#!/bin/sh\n${text}\n`);
  chmodSync(place(`bin/${name}`), 0o755);
}

function run(text: string, words: string[] = [], shell = "bash", env = {}) {
  writeFileSync(place("script"), text);
  const [program = "", ...rest] = shell.split(" ");
  const { status, stdout, stderr } = spawnSync(program, [...rest, place("script"), ...words], {
    cwd: place("project"),
    env: {
      ...{ PATH: `${place("bin")}:${resolve(".venv/bin")}:${process.env["PATH"]}`, HOME: place("home") },
      ...{ SORTIE_PROJECT: place("project"), ...env },
    },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const countBuilds = () => readFileSync(place("project/built"), "utf8").split("built").length - 1;
const SHOW = [
  "python",
  "-c",
  "import alpha, os, sys; print(alpha.version, os.environ['GREETING'], *sys.argv[1:])",
  "a b",
];
const SHOWN = "1.0 it's $HOME a b\n";

describe("on Vast", () => {
  /** Nobody but root may write where it builds. */
  const render = (spec: Partial<EnvSpec> = {}) =>
    renderVast(makeSpec(spec), terms).replace(
      /^sortie_prefix=.*$/m,
      () => `sortie_prefix=${quoteShell(place("opt/lab"))}`,
    );

  test.each(findShells())("builds once and can be entered (%s)", (shell) => {
    writeProgram("apt-get", `echo "apt-get $*" >>${quoteShell(place("apt"))}`);
    const text = render({ systemPkgs: ["git"] });
    expect(run(text, [], shell)).toMatchObject({ status: 0, stderr: expect.stringContaining("alpha") });
    expect(run(text, [], shell)).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(countBuilds()).toBe(1);
    expect(readFileSync(place("apt"), "utf8")).toBe(
      "apt-get update\napt-get install -y --no-install-recommends -- git\n",
    );
    const enter = `. ${quoteShell(place("opt/lab.sh"))} && exec "$@"`;
    expect(run(enter, SHOW, shell)).toMatchObject({ status: 0, stdout: SHOWN });
  });

  test("builds anew what an earlier try has left", () => {
    expect(run(render({ runCommands: ["exit 3"] })).status).toBe(3);
    expect(existsSync(place("opt/lab"))).toBe(true);
    expect(existsSync(place("opt/lab.sh"))).toBe(false);
    writeFileSync(place("opt/lab/left"), "");
    expect(run(render()).status).toBe(0);
    expect(existsSync(place("opt/lab/left"))).toBe(false);
  });

  test("names its image and the files that it needs", () => {
    const text = renderVast(
      makeSpec({ base: "pytorch/pytorch:2.4.0", pipPhases: [["-r needs.txt"]] }),
      terms,
    );
    expect(text).toContain("\n# Image: pytorch/pytorch:2.4.0\n");
    expect(text).toContain("must be there before: needs.txt\n");
    expect(text).toContain('-m venv --system-site-packages "$sortie_prefix"');
  });
});

describe("under Slurm", () => {
  test("builds once and runs the command", () => {
    const text = renderSlurm(makeSpec(), { ...terms, modules: [] });
    expect(run(text, SHOW)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/1\.0 it's \$HOME a b\n$/),
    });
    expect(run(text, SHOW)).toMatchObject({ status: 0, stdout: SHOWN });
    expect(run(text, ["sh", "-c", "exit 9"]).status).toBe(9);
    expect(countBuilds()).toBe(1);
    expect(existsSync(place("home/.sortie/slurm/lab-0123abcd.sh"))).toBe(true);
  });

  test("loads modules first, and ends where one is not there", () => {
    const text = renderSlurm(makeSpec(), { ...terms, modules: ["cuda/12.4", "gcc 13"] });
    const withModules = (code: string) => `module() { echo "module $*"; ${code}; }\n${text}`;
    expect(run(withModules("return 4"), SHOW)).toMatchObject({
      status: 4,
      stdout: "module load cuda/12.4 gcc 13\n",
    });
    expect(existsSync(place("home/.sortie"))).toBe(false);
  });

  const IMAGE = "nvcr.io/nvidia/pytorch:24.01-py3";
  const readCall = () => readFileSync(place("calls"), "utf8").replaceAll(place("project"), "PROJECT");

  test("starts a container image by apptainer and builds on top of it", { timeout: 180_000 }, () => {
    const log = quoteShell(place("calls"));
    writeProgram("apptainer", `echo "$*" >${log}; while [ "$1" != sh ]; do shift; done; exec "$@"`);
    const result = run(renderSlurm(makeSpec({ base: IMAGE }), terms), SHOW);
    expect(result, result.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining(SHOWN) });
    expect(readCall()).toContain(`exec --nv --bind PROJECT docker://${IMAGE} sh -s -- python -c`);
    const settings = readFileSync(place("home/.sortie/slurm/lab-0123abcd/pyvenv.cfg"), "utf8");
    expect(settings).toMatch(/site-packages = true/);
  });

  test("starts it by pyxis, which writes the name of an image in its own way", () => {
    writeProgram("srun", `printf '%s\n' "$@" >${quoteShell(place("calls"))}`);
    const text = renderSlurm(makeSpec({ base: IMAGE }), { ...terms, container: "pyxis" });
    expect(run(text, ["train", "a b"])).toMatchObject({ status: 0 });
    expect(readCall().split("\n")).toEqual([
      ...["--container-image=nvcr.io#nvidia/pytorch:24.01-py3", "--container-mount-home"],
      ...[
        "--container-mounts=PROJECT:PROJECT",
        "--container-workdir=PROJECT",
        "sh",
        "-s",
        "--",
        "train",
        "a b",
        "",
      ],
    ]);
  });
});
