import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../base/duration.ts";
import { SortieError } from "../base/error.ts";
import type { RunWish } from "../supervise/make-request.ts";
import { addWord } from "./add-word.ts";
import type { Io } from "./io.ts";
import { readVariables } from "./read-variables.ts";
import { describeCapOptions, describeNeedOptions, type RentOptions } from "./rent-flags.ts";
import { resolvePath } from "./resolve-path.ts";

/** The options that `run` and `rerun` share, as commander reads them. */
export interface RunOptions extends RentOptions {
  target?: string;
  gpus?: number | "none";
  gpu?: string[];
  name?: string;
  env?: string[];
  envFile?: string[];
  cwd?: string;
  timeout?: string;
  grace?: string;
  expect?: string;
  results?: string[];
  waitGpu?: string | true;
  freeze?: boolean;
  copy?: string[];
  environment?: string;
  unverified?: boolean;
  unguarded?: boolean;
  wandb?: "script" | "forward";
  detach?: boolean;
  yes?: boolean;
  ask?: boolean;
}

/** Declares them. */
export function describeRunOptions(command: Command): Command {
  return describeCapOptions(describeNeedOptions(describePlace(command)))
    .option("--unguarded", "rent a machine also where no program on it can stop it when nobody comes")
    .option("--detach", "answer once the run is verified, and leave it running")
    .option("--yes", "confirm the plan without a question")
    .option("--ask", "ask over Feishu (mode interactive) whether to launch it");
}

/** What is run, where, and in what. */
function describePlace(command: Command): Command {
  return command
    .option(
      "--target <name>",
      "where to run: a section's name, a kind, or an SSH alias; `local` is this machine",
    )
    .option("--gpus <n>", "how many GPUs, or none (default: one free GPU where there is any)", parseGpus)
    .option("--gpu <which>", "this GPU, by index or UUID; may be repeated", addWord)
    .option("--name <name>", "the run's name (default: script and time)")
    .option("--env <K=V>", "set a variable; may be repeated. `--env K` passes on the one you have", addWord)
    .option("--env-file <file>", "set the variables of a file of K=V lines; may be repeated", addWord)
    .option("--cwd <folder>", "start in this folder (default: Code dir of a local section, else here)")
    .option("--timeout <time>", "end the run after this time: 90s, 15m, 2h")
    .option("--grace <time>", "time between TERM and KILL when it is stopped (default 30s)")
    .option("--expect <time>", "how long you expect it to take")
    .option("--results <pattern>", "which files are results (default results/); may be repeated", addWord)
    .option("--wait-gpu [time]", "wait in line for a GPU, at most so long")
    .option("--freeze", "on another host: start in a copy of the code, so that later changes do not reach it")
    .option("--copy <path>", "send this too, though it is no code; may be repeated", addWord)
    .option("--environment <name>", "the environment to run in, where the project specifies several")
    .option("--unverified", "start though the environment has not shown that it works")
    .addOption(
      new Option(
        "--wandb <way>",
        "how numbers get to W&B: lines in the script, or forwarded from the log (no file is changed)",
      ).choices(["script", "forward"]),
    );
}

/** What the person wishes, checked and in units. @throws value_bad, file_unreadable */
export function readWish(io: Io, options: RunOptions, command: readonly string[]): RunWish {
  const seconds = (name: keyof RunOptions, flag: string) =>
    options[name] === undefined ? null : parseDuration(String(options[name]), flag);
  const someTime = (name: keyof RunOptions, flag: string) => checkSomeTime(flag, seconds(name, flag));
  return {
    command,
    cwd: resolvePath(io, options.cwd ?? "."),
    isCwdGiven: options.cwd !== undefined,
    target: options.target ?? null,
    name: options.name ?? null,
    gpus: options.gpus ?? null,
    gpu: options.gpu ?? [],
    variables: readVariables(io, options),
    envFiles: (options.envFile ?? []).map((file) => resolvePath(io, file)),
    results: options.results ?? null,
    timeoutS: someTime("timeout", "--timeout"),
    graceS: seconds("grace", "--grace"),
    expectS: someTime("expect", "--expect"),
    waitGpuS: options.waitGpu === true ? -1 : seconds("waitGpu", "--wait-gpu"),
    freeze: options.freeze ?? false,
    copies: (options.copy ?? []).map((path) => resolvePath(io, path)),
    environment: options.environment ?? null,
    unverified: options.unverified ?? false,
    ...(options.wandb && { wandbWay: options.wandb }),
  };
}

function checkSomeTime(flag: string, seconds: number | null): number | null {
  if (seconds === null || seconds > 0) return seconds;
  throw new SortieError("value_bad", {
    what: flag,
    value: "0",
    reason: "no run ends in no time",
    advice: `Give it longer, or leave ${flag} out.`,
  });
}

function parseGpus(text: string): number | "none" {
  if (text === "none") return "none";
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError("It must be a number, or none.");
  return text === "0" ? "none" : Number(text);
}
