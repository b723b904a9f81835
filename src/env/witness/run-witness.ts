import { makeToken } from "../../base/ids.ts";
import { makePrintable } from "../../base/printable.ts";
import type { EnvHost } from "../env-host.ts";
import type { Card } from "../key-of-trust.ts";
import type { Library } from "./choose-library.ts";
import { describeEnd } from "./describe-end.ts";
import { type Inside, type InsideOutcome, runInside } from "./run-inside.ts";
import witness from "./witness.py";
import libraries from "./witness_libraries.py";
import problems from "./witness_problems.py";
import { readWitness, type WitnessFacts } from "./witness-facts.ts";

export interface WitnessRequest extends Inside {
  /** `auto`: the first of all that is installed. */
  readonly library: Library | "auto";
  /** The card to compute on; null: a CPU. */
  readonly gpu: Card | null;
  /** Default 120. */
  readonly timeoutS?: number | undefined;
  /** Shell text that takes the card's lease or exits with 75. */
  readonly lease?: string | undefined;
  /** CPUs that it may use; default: as the library decides. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WitnessResult {
  /** `taken`: another holds the card, and nothing was shown. */
  readonly state: "passed" | "failed" | "taken";
  /** One line: what was shown, or why not. */
  readonly message: string;
  /** null: it did not come so far. */
  readonly facts: WitnessFacts | null;
  /** The end of all that was printed, to be diagnosed. */
  readonly output: string;
  readonly exitCode: number;
}

const TIMEOUT_S = 120;
/** So much earlier the witness itself tells where it hangs. */
const TELL_BEFORE_S = 5;
const KINDS = ["matmul", "conv2d", "sum"];

/**
 * Lets a library compute inside the environment, on this very card. It passes only with exit code 0, our own sentinel as
 * the last line, and facts that say the same. @throws as `runInside`
 */
export async function runWitness(host: EnvHost, request: WitnessRequest): Promise<WitnessResult> {
  const token = makeToken();
  const timeoutS = request.timeoutS ?? TIMEOUT_S;
  const device = request.gpu === null ? "cpu" : "gpu";
  const seconds = Math.max(1, timeoutS - TELL_BEFORE_S);
  const outcome = await runInside(
    host,
    { ...request, variables: makeVariables(request) },
    {
      text: `exec "$sortie_python" "$sortie_place/programs/witness.py" --token ${token} --library ${request.library} --device ${device} --seconds ${seconds}`,
      programs: {
        "witness.py": witness,
        "witness_libraries.py": libraries,
        "witness_problems.py": problems,
      },
      runsIn: "empty",
      ...{ timeoutS, lease: request.lease, signal: request.signal },
    },
  );
  return judge(request, outcome, token);
}

function makeVariables({ variables, gpu, threads }: WitnessRequest): Record<string, string> {
  const names = ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"];
  const limits = threads === undefined ? [] : names.map((name) => [name, String(threads)]);
  return {
    ...Object.fromEntries(limits),
    ...variables,
    CUDA_VISIBLE_DEVICES: gpu?.uuid ?? "",
    PYTHONDONTWRITEBYTECODE: "1",
  };
}

function judge(request: WitnessRequest, outcome: InsideOutcome, token: string): WitnessResult {
  const said = readWitness(outcome.stdout, token);
  const facts = said?.facts ?? null;
  const rest = { facts, output: joinOutput(outcome, said), exitCode: outcome.exitCode };
  const end = describeEnd(outcome);
  if (outcome.state === "taken") return { state: "taken", message: end ?? "the GPU is taken", ...rest };
  const fault = facts?.reason ?? findHang(outcome) ?? end ?? findDoubt(request, said);
  const message = makePrintable(fault ?? describeFacts(said as { facts: WitnessFacts }, request.gpu));
  return { state: fault === null ? "passed" : "failed", message: message.replaceAll(/\s+/g, " "), ...rest };
}

/** Where the witness was when its time was over, as Python tells by itself. */
function findHang({ stderr }: InsideOutcome): string | null {
  const [, time, place] = /^Timeout \(([\d:]+)[^\n]*\n(?:Thread [^\n]*\n)?\s*([^\n]*)/m.exec(stderr) ?? [];
  return time === undefined ? null : `it hung, and was ended after ${time} h: ${place}`;
}

/** The streams' ends, without the facts: those are read already, and quote what went wrong a second time. */
function joinOutput({ stdout, stderr }: InsideOutcome, said: ReturnType<typeof readWitness>): string {
  return [stderr, said?.before ?? stdout].filter((text) => text !== "").join("\n");
}

/** What keeps a witness that ended well from being believed. */
function findDoubt({ library, gpu }: WitnessRequest, said: ReturnType<typeof readWitness>): string | null {
  if (said === null) return "it ended with 0 but told nothing of what it computed";
  const { facts, isSealed } = said;
  if (!isSealed) return "it ended with 0 without its last line";
  if (library !== "auto" && facts.library !== library) return `${facts.library} computed, not ${library}`;
  if (facts.device !== (gpu === null ? "cpu" : "gpu")) return `it computed on a ${facts.device}`;
  if (gpu !== null && isOther(gpu.uuid, facts.uuid)) return `it computed on another card, ${facts.uuid}`;
  const isWhole = KINDS.every((kind) =>
    facts.checks.some(({ name, type }) => name === kind && type === "float32"),
  );
  return isWhole && facts.checks.every(({ passed }) => passed) ? null : "not all of its checks passed";
}

/** Libraries leave out what stands before the digits; a part of a card (MIG) has other names in each. */
function isOther(wanted: string, seen: string | null): boolean {
  if (seen === null || !wanted.startsWith("GPU-")) return false;
  const digits = (uuid: string) => uuid.replace(/^GPU-/, "").replaceAll("-", "").toLowerCase();
  return digits(wanted) !== digits(seen);
}

function describeFacts({ facts }: { facts: WitnessFacts }, gpu: Card | null): string {
  const types = [...new Set(facts.checks.map(({ type }) => type))].join(", ");
  const place = gpu === null ? "a CPU" : (facts.name ?? gpu.model);
  return `${facts.library} ${facts.version} computed ${types} on ${place}`;
}
