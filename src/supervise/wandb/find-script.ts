import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";

const PYTHON = /^(i?python|pypy)[\d.]*$/;
/** Options of Python that take the next word. */
const TAKES_WORD = /^-[a-zA-Z]*[WX]$/;
/** Programs that start another one, or a script by themselves: what they are told stands among their words. */
const STARTERS =
  /^(env|nohup|time|nice|ionice|stdbuf|setsid|timeout|numactl|taskset|xvfb-run|uv|poetry|pdm|hatch|rye|pixi|conda|mamba|micromamba|torchrun|torchx|accelerate|deepspeed|horovodrun|composer|fabric|lightning|srun|mpirun|mpiexec|coverage|kernprof|debugpy|viztracer|py-spy)$/;
/** The same as modules of Python. */
const STARTER_MODULES =
  /^(torch\.distributed\.(run|launch)|accelerate\.commands\.launch|deepspeed(\.launcher\.runner)?|cProfile|profile|pdb|trace|coverage|debugpy|lightning|ipdb|kernprof|line_profiler)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The Python file that a command runs, absolute; null: it names none that lies in the folder or is there. */
export function findScript(command: readonly string[], cwd: string): string | null {
  const named = readCommand(command);
  if (named === null) return null;
  const places = "file" in named ? [named.file] : listModulePlaces(named.module);
  return places.map((place) => resolve(cwd, place)).find((place) => existsSync(place)) ?? null;
}

type Named = { readonly file: string } | { readonly module: string } | null;

function readCommand(words: readonly string[]): Named {
  const [program = "", ...rest] = dropAssignments(words);
  const name = basename(program);
  if (PYTHON.test(name)) return readPython(rest);
  if (STARTERS.test(name)) return readStarter(rest);
  return name.endsWith(".py") ? { file: program } : null;
}

function dropAssignments(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  return first === -1 ? [] : words.slice(first);
}

function readPython(words: readonly string[]): Named {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    if (/^-[a-zA-Z]*m$/.test(word)) return readModule(words.slice(at + 1));
    if (/^-[a-zA-Z]*c$/.test(word) || word === "-") return null;
    if (TAKES_WORD.test(word)) at += 1;
    else if (!word.startsWith("-")) return { file: word };
  }
  return null;
}

function readModule([module = "", ...rest]: readonly string[]): Named {
  if (STARTER_MODULES.test(module)) return readStarter(rest);
  return module === "" ? null : { module };
}

/** A Python further on is asked what it runs; else the first word that names a file or a module does. */
function readStarter(words: readonly string[]): Named {
  const inner = words.findIndex(
    (word) => PYTHON.test(basename(word)) || STARTERS.test(basename(word)) || word.endsWith(".py"),
  );
  const module = words.findIndex((word) => word === "-m" || word === "--module");
  if (module !== -1 && (inner === -1 || module < inner)) return readModule(words.slice(module + 1));
  return inner === -1 ? null : readCommand(words.slice(inner));
}

function listModulePlaces(module: string): string[] {
  const path = module.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__main__.py`];
}
