import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { SortieError } from "../../base/error.ts";
import { checkPlace } from "../../handlers/check-place.ts";
import { parseHandlerSpec } from "../../handlers/handler-spec.ts";
import { findProgram } from "../../process/find-program.ts";
import { findInterpreter } from "../agent/choose-interpreter.ts";
import type { Desk } from "../desk.ts";
import type { Need } from "./find-job-facts.ts";
import type { FleetRunner } from "./fleet.ts";
import type { FleetWish } from "./fleet-wish.ts";

const LAUNCHER = "scripts/tunnel.sh";
const SAMPLE = "contestant_sdk/python/example_inference";

/**
 * What each agent runs: the handler or launcher that was named, else the challenge's launcher in the folder, if it is there.
 * On another host (`isHere: false`) the interpreter is that host's.
 * The sample that comes with Sortie holds the robot still: it is offered, and never taken in silence.
 * @throws handler_spec_bad, handler_not_found, interpreter_missing, fleet_runner_missing
 */
export function chooseRunner(
  desk: Pick<Desk, "env" | "self">,
  wish: FleetWish,
  { isHere = true }: { isHere?: boolean } = {},
): FleetRunner | Need {
  const { handler, runner, python, cwd } = wish;
  if (handler) {
    // Refused now, not by the first agent: a submission may be spent by then.
    checkPlace(parseHandlerSpec(handler, cwd), handler);
    if (python !== undefined && isHere) findInterpreter(python, "--python", { env: desk.env, cwd });
    return { kind: "handler", handler, python: python ?? null };
  }
  if (runner) return { kind: "script", path: checkScript(resolve(cwd, runner), desk) };
  const launcher = join(cwd, LAUNCHER);
  if (existsSync(launcher)) return { kind: "script", path: checkScript(launcher, desk) };
  return {
    name: "what the agents run",
    command: `--handler MODULE:FUNCTION, or --runner ./${LAUNCHER}; the sample, which holds the robot still, is --handler ${findSample(desk)}:handle`,
  };
}

function checkScript(path: string, { env }: Pick<Desk, "env">): string {
  if (findProgram(path, env) !== null) return path;
  const reason = existsSync(path) ? "it may not be executed" : "it is not there";
  throw new SortieError("fleet_runner_missing", { path, reason });
}

/** Beside the program that runs now, as in a checkout and in the package. */
function findSample({ self }: Pick<Desk, "self">): string {
  const own = resolve(self[1] ?? ".", "..", "..", SAMPLE);
  return existsSync(`${own}.py`) ? own : SAMPLE;
}
