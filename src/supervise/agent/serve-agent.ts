import { systemClock } from "../../base/clock.ts";
import { SortieError } from "../../base/error.ts";
import { showUrl } from "../../base/show-url.ts";
import { startHandler } from "../../handlers/start-handler.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import type { AgentEnd, AgentEventRecord, AgentLogLine, AgentOptions } from "../../tunnel/agent-options.ts";
import type { Secrets } from "../../tunnel/secrets.ts";
import { startAgent } from "../../tunnel/start-agent.ts";
import type { Environment } from "../desk.ts";
import { type AgentWish, type CheckedWish, checkWish } from "./agent-wish.ts";
import { chooseInterpreter, type Interpreter } from "./choose-interpreter.ts";
import { collectSecrets } from "./collect-secrets.ts";
import { describeEnd } from "./describe-end.ts";
import { type EventsFile, openEvents } from "./events-file.ts";
import { makeAgentOptions } from "./make-agent-options.ts";
import { makeStateTimes } from "./state-times.ts";
import { type TakenGpu, takeGpu } from "./take-gpu.ts";

export type { AgentWish } from "./agent-wish.ts";
export type ServedEnd = AgentEnd;

export interface AgentPlace {
  readonly env: Environment;
  readonly cwd: string;
  readonly onLog: (line: AgentLogLine) => void;
  readonly onEvent: (event: AgentEventRecord) => void;
  /** Ends the agent, at whatever point it is. */
  readonly interrupted: AbortSignal;
}

/**
 * Serves one agent from its start to its end: checks the wish, takes a GPU, starts the handler, then the tunnel. Nothing
 * that it started outlives it, and the GPU is let go last. @throws SortieError of everything before the tunnel
 */
export async function serveAgent(wish: AgentWish, place: AgentPlace): Promise<ServedEnd> {
  const checked = checkWish(wish, place);
  const secrets = collectSecrets(checked, place.env);
  const own = markLines(hideSecrets(place, secrets), checked.agentId);
  const events = openEvents(wish.events, own);
  try {
    const end = await serveWithEvents(wish, checked, { ...own, secrets }, events);
    return end.error === undefined ? end : { ...end, error: secrets.cleanError(end.error) };
  } catch (fault) {
    throw fault instanceof SortieError ? secrets.cleanError(fault) : fault;
  } finally {
    await events?.close();
  }
}

/** Whatever an agent says goes through here: its log, and its events. */
function hideSecrets(place: AgentPlace, secrets: Secrets): AgentPlace {
  return {
    ...place,
    onLog: ({ level, text }) => place.onLog({ level, text: secrets.clean(text) }),
    onEvent: (event) => place.onEvent(hideInEvent(event, secrets)),
  };
}

function hideInEvent(event: AgentEventRecord, secrets: Secrets): AgentEventRecord {
  return event.detail === null ? event : { ...event, detail: secrets.clean(event.detail) };
}

/** Agents that are started by one loop write into one terminal. */
function markLines(place: AgentPlace, agentId: string): AgentPlace {
  const mark = `[${agentId.slice(0, 8)}]`;
  const words = { info: mark, warn: `${mark} warning:`, error: `${mark} error:` };
  return { ...place, onLog: ({ level, text }) => place.onLog({ level, text: `${words[level]} ${text}` }) };
}

async function serveWithEvents(
  wish: AgentWish,
  checked: CheckedWish,
  place: AgentPlace & { readonly secrets: Secrets },
  events: EventsFile | undefined,
): Promise<ServedEnd> {
  const { env, cwd, interrupted, onLog } = place;
  const runner = makeLocalRunner();
  const interpreter =
    checked.handler.language === "python"
      ? await chooseInterpreter(wish.python, { env, cwd, runner, signal: interrupted })
      : null;
  onLog({ level: "info", text: describeInterpreter(interpreter) });
  describeWish(checked, onLog);
  const holder = `agent-${checked.agentId.slice(0, 8)}`;
  const onWarn = (text: string) => onLog({ level: "warn", text });
  const gpu = await takeGpu(wish.gpu, { env, cwd, runner, holder, signal: interrupted, onWarn });
  try {
    describeGpu(gpu, onLog);
    const handler = await startOwnHandler(wish, place, { interpreter, gpu: gpu.pinned });
    return await runAgent(makeAgentOptions(wish, checked, handler, place), place, events);
  } finally {
    await gpu.release();
  }
}

function describeInterpreter(interpreter: Interpreter | null): string {
  if (interpreter === null)
    return `the handler runs in this Node.js (${process.execPath}, ${process.version})`;
  return `the handler runs in ${interpreter.program} (${interpreter.said})`;
}

function describeWish(
  { jobUuid, agentId, token, endpoint, proxy, state }: CheckedWish,
  onLog: AgentPlace["onLog"],
): void {
  for (const text of state.warnings) onLog({ level: "warn", text });
  onLog({ level: "info", text: `agent ${agentId} of job ${jobUuid}` });
  onLog({ level: "info", text: `gateway ${showUrl(endpoint.url)} (${endpoint.said}), with ${token.said}` });
  if (proxy.said !== undefined) onLog({ level: "info", text: proxy.said });
}

function describeGpu({ said, warnings }: TakenGpu, onLog: AgentPlace["onLog"]): void {
  onLog({ level: "info", text: `GPU: ${said}` });
  for (const text of warnings) onLog({ level: "warn", text });
}

async function startOwnHandler(
  wish: AgentWish,
  { env, cwd, onLog, interrupted }: AgentPlace,
  { interpreter, gpu }: { interpreter: Interpreter | null; gpu?: string },
) {
  const handler = await startHandler({
    spec: wish.handler,
    cwd,
    env: interpreter?.env ?? env,
    python: interpreter?.program,
    gpu,
    loadTimeoutMs: wish.loadTimeoutMs,
    signal: interrupted,
    onLog: (text) => onLog({ level: "warn", text }),
  }).catch((fault: unknown) => {
    if (interrupted.aborted) onLog({ level: "warn", text: "interrupted while the handler was imported" });
    throw fault;
  });
  const { language, version, offers } = handler.about;
  const names = ["handle", ...offers].join(", ");
  onLog({ level: "info", text: `handler ${wish.handler} imported (${language} ${version}; ${names})` });
  return handler;
}

async function runAgent(
  options: AgentOptions,
  { onEvent, onLog, interrupted, secrets }: AgentPlace & { readonly secrets: Secrets },
  events: EventsFile | undefined,
): Promise<ServedEnd> {
  const times = makeStateTimes(systemClock);
  const agent = startAgent({
    ...options,
    onEvent(event) {
      times.enter(event.state);
      events?.add(hideInEvent(event, secrets));
      onEvent(event);
    },
  });
  const stop = () => void agent.stop();
  interrupted.addEventListener("abort", stop, { once: true });
  if (interrupted.aborted) stop();
  const end = await agent.ended;
  interrupted.removeEventListener("abort", stop);
  for (const text of describeEnd(end, times.read())) onLog({ level: "info", text });
  if (end.error === undefined) return end;
  onLog({ level: "error", text: end.error.message });
  onLog({ level: "info", text: end.error.hint });
  return end;
}
