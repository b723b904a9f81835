import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import type { HandlerOptions, StartedHandler } from "../../src/handlers/handler-options.ts";
import { startHandler } from "../../src/handlers/start-handler.ts";

export const sid = new TextEncoder().encode("3f2b8c1e");

/** Handlers of a test: their files lie in its folder, and each is stopped after it. */
export function useHandlers(folder: () => string) {
  const started: StartedHandler[] = [];
  const logs: number[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((handler) => handler.stop()));
    for (const fd of logs.splice(0)) closeSync(fd);
  });

  const inFolder = (name: string) => join(folder(), name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(inFolder(name)), { recursive: true });
    writeFileSync(inFolder(name), text);
  };
  /** Starts a handler whose output goes to the file `log`. */
  const start = async (spec: string, options: Partial<HandlerOptions> = {}) => {
    const outputFd = openSync(inFolder("log"), "a");
    logs.push(outputFd);
    const handler = await startHandler({ spec, cwd: folder(), env: process.env, outputFd, ...options });
    started.push(handler);
    return handler;
  };
  /** Starts the Python handler of this text. */
  const startPython = (text: string, options: Partial<HandlerOptions> = {}) => {
    write("policy.py", text);
    return start("policy:handle", options);
  };
  /** Starts the JavaScript handler of this text. */
  const startJs = (text: string, name = "policy.mjs", options: Partial<HandlerOptions> = {}) => {
    write(name, text);
    return start(name, options);
  };
  const readLog = () => readFileSync(inFolder("log"), "utf8");
  return { inFolder, write, start, startPython, startJs, readLog };
}

/** The answer to an observation, as text. */
export async function ask(handler: StartedHandler, payload = "?"): Promise<string> {
  return new TextDecoder().decode(await handler.handle(sid, new TextEncoder().encode(payload)));
}
