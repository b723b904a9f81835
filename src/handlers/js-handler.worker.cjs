// Runs one JavaScript handler in a worker thread. Calls come as messages {call, sessionId, payload} and are answered by
// one message each: {type: "imported" | "done" | "reply" | "fault", ...}. Messages of the types "begun", "emptied" and
// "log" answer nothing. What the handler prints goes to the log.
"use strict";

const { readlinkSync, writeSync } = require("node:fs");
const { fileURLToPath, pathToFileURL } = require("node:url");
const { workerData } = require("node:worker_threads");

const { port, file, name, outputFd } = workerData;
const FULL_PIPE_PAUSE_MS = 5;
const MOST_TEXT = 4000;

sendOutputToLog();
send({ type: "begun", threadId: findThreadId() });
process.on("uncaughtExceptionMonitor", (fault) => writeToLog(`${trimStack(fault) || fault}\n`));
process.once("beforeExit", () => send({ type: "emptied" }));
start().catch((fault) => send(makeFault("import", fault)));

async function start() {
  const exported = await importFile();
  if (exported === undefined) return;
  const owners = [exported, exported.default].filter((owner) => owner !== undefined && owner !== null);
  const { owner, handle, fault } = findHandle(owners);
  if (fault !== undefined) return send(fault);
  const hooks = findHooks(owner, owners);
  port.on("message", (message) => answer({ handle: handle.bind(owner), ...hooks }, message));
  const { execPath: program, versions } = process;
  const facts = { language: "javascript", program, version: versions.node, offers: Object.keys(hooks) };
  send({ type: "imported", facts });
}

/** As the kernel counts threads: on Linux a thread's children are found by it. */
function findThreadId() {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return undefined; // no /proc on this system
  }
}

// --- finding the handler ---

async function importFile() {
  try {
    return await import(pathToFileURL(file).href);
  } catch (fault) {
    if (fault instanceof SyntaxError) return send({ ...makeFault("syntax", fault), ...findPlace(fault) });
    const missing = /^Cannot find (?:package|module) '([^']+)'/.exec(fault?.message ?? "")?.[1];
    const report = makeFault("import", fault);
    if (report.trace !== "") writeToLog(`${report.trace}\n`);
    return send({ ...report, missing });
  }
}

/** Most faults begin with the place, `/path/file.cjs:3`, and the line; those that a module is parsed with do not. */
function findPlace({ stack }) {
  const [, place, line, text] = /^(.+):(\d+)\n(.*)\n/.exec(stack) ?? [];
  if (place === undefined) return {};
  const path = place.startsWith("file:") ? fileURLToPath(place) : place;
  return { file: path, line: Number(line), text: text.trim() };
}

/** CommonJS files, and modules with a default export, hold their functions one level deeper. */
function findHandle(owners) {
  for (const owner of owners) {
    const found = followPath(owner, (name ?? "handle").split("."));
    if (found !== undefined) return checkFunction(found);
  }
  const [exported] = owners;
  if (name === undefined && typeof exported.default === "function") {
    return checkFunction({ owner: exported, handle: exported.default });
  }
  const names = owners.flatMap((owner) =>
    Object.keys(owner).filter((key) => typeof owner[key] === "function"),
  );
  const missing = name ?? "handle";
  return {
    fault: { type: "fault", kind: "no_function", message: `${missing} is missing`, name: missing, names },
  };
}

function followPath(start, words) {
  let owner = start;
  let handle = start;
  for (const word of words) {
    owner = handle;
    if (owner === null || owner === undefined || !(word in Object(owner))) return undefined;
    handle = owner[word];
  }
  return { owner, handle };
}

function checkFunction({ owner, handle }) {
  if (typeof handle === "function" && !isClass(handle) && handle.length <= 2) return { owner, handle };
  let message = `it is no function but a value of type ${typeof handle}`;
  if (isClass(handle))
    message = "it is a class; export an object of it and name the method, as in `policy.handle`";
  else if (typeof handle === "function") message = `it wants ${handle.length} arguments instead of 2`;
  return { fault: { type: "fault", kind: "unfit", message } };
}

function isClass(value) {
  return typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
}

/** `load`, `open` and `close` beside the function, and in the log what has that name and is not called. */
function findHooks(owner, owners) {
  // What CommonJS exports is seen twice, and the first time not always whole.
  const beside = owners.includes(owner) ? [owner, ...owners] : [owner];
  const hooks = {};
  for (const [hook, most] of Object.entries({ load: 0, open: 1, close: 1 })) {
    const holder = beside.find((place) => typeof place[hook] === "function");
    const found = holder?.[hook];
    const reason = found === undefined ? findStray(hook, owners) : findMisfit(found, most);
    if (reason !== undefined)
      send({ type: "log", text: `${hook} ${reason}: it is not called for the handler` });
    else if (found !== undefined) hooks[hook] = found.bind(holder);
  }
  return hooks;
}

function findStray(hook, owners) {
  const isThere = owners.some((place) => typeof place[hook] === "function");
  return isThere ? "belongs to the module and not to the object of the function" : undefined;
}

function findMisfit(found, most) {
  if (isClass(found)) return "is a class";
  const way = most === 0 ? "without arguments" : "with the session id alone";
  const wanted = found.length === 1 ? "1 argument" : `${found.length} arguments`;
  return found.length > most ? `wants ${wanted} and cannot be called ${way}` : undefined;
}

// --- calling it ---

async function answer(handler, { call, sessionId, payload }) {
  try {
    if (call === "handle") {
      const frame = new Uint8Array(payload);
      sendReply(takeBytes(await handler.handle(sessionId, frame)), frame);
    } else {
      if (call === "load") await (handler.load ? handler.load() : handler.handle("", new Uint8Array()));
      else await handler[call]?.(sessionId);
      send({ type: "done" });
    }
  } catch (fault) {
    const report = makeFault(fault?.name ?? "Error", fault);
    writeToLog(`${report.trace || report.message}\n`);
    send(report);
  }
}

function takeBytes(result) {
  if (result instanceof Uint8Array) return result;
  if (result instanceof ArrayBuffer) return new Uint8Array(result);
  const kind = result === null ? "null" : (Object(result).constructor?.name ?? typeof result);
  throw new TypeError(`it returned ${result === undefined ? "undefined" : kind}, not bytes (a Uint8Array)`);
}

/** A reply is copied once, since the handler may keep its own; one that lies in the frame's memory is handed over. */
function sendReply(reply, frame) {
  const isFrames = reply.buffer === frame.buffer;
  const bytes = isFrames ? reply : Buffer.allocUnsafeSlow(reply.length);
  if (!isFrames) bytes.set(reply);
  port.postMessage({ type: "reply", buffer: bytes.buffer, offset: bytes.byteOffset, length: bytes.length }, [
    bytes.buffer,
  ]);
}

function makeFault(kind, fault) {
  const message = fault instanceof Error ? `${fault.name}: ${fault.message}` : `it threw ${String(fault)}`;
  return { type: "fault", kind, message: message.slice(0, MOST_TEXT), trace: trimStack(fault) };
}

/** Without the lines of this file and of Node itself. */
function trimStack(fault) {
  const lines = typeof fault?.stack === "string" ? fault.stack.split("\n") : [];
  return lines
    .filter((line) => !/\((node:|\[worker eval\])|at (async )?(node:|\[worker eval\])/.test(line))
    .join("\n")
    .slice(0, MOST_TEXT);
}

function send(message) {
  port.postMessage(message);
}

// --- what it prints ---

function sendOutputToLog() {
  for (const stream of [process.stdout, process.stderr]) {
    stream._writev = null;
    stream._write = (chunk, _encoding, done) => {
      writeToLog(chunk);
      done();
    };
  }
}

/** Straight to the log, not through the thread that owns the socket. A reader that is slow holds up this thread alone. */
function writeToLog(text) {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(outputFd, rest));
    } catch (fault) {
      if (fault.code !== "EAGAIN") return; // nobody reads the log any more
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_PAUSE_MS);
    }
  }
}
