import { SortieError } from "../base/error.ts";

/** screen allows 80 characters for a session's name. */
const MAX_LENGTH = 80;
/** Programs that only run another file: the file names the run. */
const LAUNCHERS =
  /^(python[\d.]*|bash|sh|zsh|node|uv|uvx|torchrun|accelerate|deepspeed|srun|mpirun|env|nohup|time)$/;

/** `train-20261129-142601` for `python src/train.py`: the script's name and the time, in UTC. */
export function makeRunName(command: readonly string[], now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  const script = findScript(command)
    .replace(/^.*\//, "")
    .replace(/\.[A-Za-z0-9]{1,4}$/, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 40);
  return `${script || "run"}-${stamp}`;
}

/** The name itself, or the first of `name-2`, `name-3`, … that is not taken. */
export function makeFreeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}

/** @throws run_name_bad */
export function checkRunName(name: string): string {
  const refuse = (reason: string) => new SortieError("run_name_bad", { name: JSON.stringify(name), reason });
  if (name === "") throw refuse("it is empty");
  if (name.length > MAX_LENGTH) throw refuse(`it has ${name.length} characters`);
  if (!/^[A-Za-z0-9]/.test(name)) throw refuse("it does not start with a letter or digit");
  const odd = name.match(/[^A-Za-z0-9._-]/u);
  if (odd) throw refuse(`it holds ${JSON.stringify(odd[0])}`);
  return name;
}

function findScript(command: readonly string[]): string {
  const words = command.filter((word) => !word.startsWith("-"));
  const first = (words[0] ?? "").replace(/^.*\//, "");
  if (!LAUNCHERS.test(first)) return words[0] ?? "";
  const module = command[command.indexOf("-m") + 1];
  if (command.includes("-m") && module) return module.split(".").at(-1) as string;
  const file = words.slice(1).find((word) => /\.(py|sh|js|mjs|ts|pl|R|jl)$/.test(word));
  return file ?? first;
}
