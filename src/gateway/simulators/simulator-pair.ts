import { describeFault, SortieError } from "../../base/error.ts";
import { isNumber, isOneOf, isOrAbsent, isOrNull, isShape, isText } from "../../base/shape.ts";
import { describeValue } from "../../payload/describe-value.ts";
import type { CaseResult, CaseSpec, Policy, Simulator } from "../simulator.ts";

/**
 * One end of a pair over which a simulator in a thread plays cases with a policy in another, one case at a time: a
 * `MessagePort`, a `Worker`, or in a worker its `parentPort`.
 *
 * | to the simulator | from the simulator |
 * | --- | --- |
 * | `{type: "play", sessionId, spec}` begins a case | `{type: "result", result}` ends it |
 * | | `{type: "failed", isPolicyFault, reason}` ends it too |
 * | `{type: "action", bytes}` | `{type: "observation", bytes}` |
 *
 * Nothing calls a case off: where the policy has gone, the thread is ended.
 */
export interface PairEnd {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
}

/** How a case ended by the simulator's own word. */
export type CaseEnding = { readonly result: CaseResult } | { readonly fault: SortieError };

/** Smaller ones may lie in a pool that Node shares between buffers, which cannot be given away. */
const SMALLEST_TRANSFER_BYTES = 64 * 1024;

// --- where the policy is ---

/**
 * Plays a case with the simulator at the other end. Rejects with the reason of any of the signals when it aborts, with
 * what `policy.infer` rejects with, and with SortieError `simulator_failed` for messages that make no sense: the other
 * end is then in the middle of something, and of no use any more.
 */
export function playOver(
  port: PairEnd,
  policy: Policy,
  spec: CaseSpec,
  signals: readonly AbortSignal[],
): Promise<CaseEnding> {
  const settled = new AbortController();
  const ending = new Promise<CaseEnding>((resolve, reject) => {
    let isAsked = false;
    const answer = async (observation: Uint8Array) => {
      isAsked = true;
      const action = await policy.infer(observation);
      isAsked = false;
      if (!settled.signal.aborted) postBytes(port, "action", new Uint8Array(action));
    };
    const listener = (message: unknown) => {
      const end = readEnding(message);
      if (end !== undefined) resolve(end);
      else if (isObservation(message) && !isAsked) answer(message.bytes).catch(reject);
      else reject(new SortieError("simulator_failed", { reason: describeNonsense(message) }));
    };
    for (const signal of signals) {
      if (signal.aborted) return reject(signal.reason);
      const giveUp = () => reject(signal.reason);
      signal.addEventListener("abort", giveUp);
      settled.signal.addEventListener("abort", () => signal.removeEventListener("abort", giveUp), {
        once: true,
      });
    }
    settled.signal.addEventListener("abort", () => port.off("message", listener), { once: true });
    port.on("message", listener);
    port.postMessage({ type: "play", sessionId: policy.sessionId, spec });
  });
  return ending.finally(() => settled.abort());
}

const isObservation = isShape<{ type: "observation"; bytes: Uint8Array }>({
  type: isOneOf("observation"),
  bytes: (value) => value instanceof Uint8Array,
});

const isFailure = isShape<{ type: "failed"; isPolicyFault: boolean; reason: string }>({
  type: isOneOf("failed"),
  isPolicyFault: isOneOf(true, false),
  reason: isText,
});

const isResult = isShape<{ type: "result"; result: CaseResult }>({
  type: isOneOf("result"),
  result: isShape<CaseResult>({
    score: isOrNull((value) => isNumber(value) && (value as number) >= 0 && (value as number) <= 1),
    steps: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    detail: isOrAbsent(isText),
  }),
});

function readEnding(message: unknown): CaseEnding | undefined {
  if (isResult(message)) return { result: message.result };
  if (!isFailure(message)) return undefined;
  const { isPolicyFault, reason } = message;
  return { fault: new SortieError(isPolicyFault ? "policy_failed" : "simulator_failed", { reason }) };
}

const isScored = isShape<{ result: { score: unknown } }>({
  result: isShape<{ score: unknown }>({ score: () => true }),
});

function describeNonsense(message: unknown): string {
  if (isObservation(message)) return "it sent an observation before the last one was answered";
  if (isScored(message)) return `it ended a case with the score ${describeValue(message.result.score)}`;
  return "it sent a message that is neither an observation nor the end of a case";
}

// --- where the simulator is ---

/** Plays every case that the other end begins. The bytes of an observation are gone once `infer` was called with them. */
export function serveCases(port: PairEnd, simulator: Simulator): void {
  let takeAction: ((action: Uint8Array) => void) | undefined;
  const infer = (observation: Uint8Array) =>
    new Promise<Uint8Array>((resolve) => {
      takeAction = resolve;
      postBytes(port, "observation", observation);
    });
  port.on("message", (message) => {
    // From the end that started this one: nothing else comes.
    const order = message as
      | { type: "play"; sessionId: string; spec: CaseSpec }
      | { type: "action"; bytes: Uint8Array };
    if (order.type === "action") takeAction?.(order.bytes);
    else void playHere(port, simulator, { sessionId: order.sessionId, infer }, order.spec);
  });
}

async function playHere(port: PairEnd, simulator: Simulator, policy: Policy, spec: CaseSpec) {
  try {
    const result = await simulator(policy, spec, new AbortController().signal);
    port.postMessage({ type: "result", result });
  } catch (thrown) {
    const isPolicyFault = thrown instanceof SortieError && thrown.code === "policy_failed";
    const reason = isPolicyFault ? String(thrown.details["reason"]) : describeFault(thrown);
    port.postMessage({ type: "failed", isPolicyFault, reason });
  }
}

function postBytes(port: PairEnd, type: "observation" | "action", bytes: Uint8Array) {
  const { buffer } = bytes;
  if (bytes.length < SMALLEST_TRANSFER_BYTES || !(buffer instanceof ArrayBuffer)) {
    port.postMessage({ type, bytes: new Uint8Array(bytes) });
  } else {
    port.postMessage({ type, bytes }, [buffer]);
  }
}
