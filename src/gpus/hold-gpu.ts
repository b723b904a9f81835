import type { Duplex, Readable } from "node:stream";
import { type Clock, systemClock } from "../base/clock.ts";
import { SortieError } from "../base/error.ts";
import { makeSettings } from "../base/script.ts";
import { type ProcessGroup, startGroup } from "../process/process-group.ts";
import holdScript from "./hold-gpu.sh";
import leaseFunctions from "./lease.sh";

/** A lease that a process of its own holds for us, and lets go when it is released or when we are gone. */
export interface HeldGpu {
  readonly uuid: string;
  /** Resolves when the holder has ended although nobody released it: the GPU is free for others then. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

export interface HoldOptions {
  /** UUIDs, the first choice first. */
  readonly candidates: readonly string[];
  /** What others read about who holds it, as they read the id of a run. */
  readonly holder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls it off; it rejects with `interrupted` then. */
  readonly signal?: AbortSignal;
  /** How long it may take to see who has the GPUs. Default: half a minute. */
  readonly patienceMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** Cleaners of /tmp leave a file alone whose date is younger than some days. */
const RENEW_MS = 24 * 60 * 60 * 1000;

/** A lease that others look at costs two seconds; more than this takes only a file system that hangs. */
const PATIENCE_MS = 30_000;

/**
 * Takes one GPU as a run takes it. `held`: others have all of them. `failed`: this machine can make no lease, or none in time.
 * @throws SortieError `interrupted`
 */
export async function holdGpu(options: HoldOptions): Promise<HeldGpu | "held" | "failed"> {
  const group = await startHolder(options);
  if ("notStarted" in group) return "failed";
  const [channel] = group.channels;
  if (!channel) return "failed";
  const answer = await readAnswer(channel, options);
  const [word, uuid] = answer.split(" ");
  if (word !== "taken" || uuid === undefined || options.signal?.aborted) {
    channel.destroy();
    await group.stop(RELEASE_MS);
    if (options.signal?.aborted) throw new SortieError("interrupted");
    return word === "held" ? "held" : "failed";
  }
  return makeHeld(uuid, group, channel);
}

function startHolder({ holder, candidates, env }: HoldOptions) {
  const settings = makeSettings({ sortie_run_id: holder, sortie_gpu_candidates: candidates.join(" ") });
  const script = [settings, leaseFunctions, holdScript].join("\n");
  // By the environment, so that `ps` shows what this process is for and not the whole text.
  const argv = ["sh", "-c", 'eval "$sortie_script"', "sortie-gpu-lease"];
  return startGroup(argv, {
    cwd: "/",
    env: { ...env, sortie_script: script },
    outputFd: 2,
    channels: ["socket"],
  });
}

/** What the holder says; nothing where that takes too long or is called off. */
async function readAnswer(
  channel: Readable,
  { signal, patienceMs = PATIENCE_MS, clock = systemClock }: HoldOptions,
): Promise<string> {
  const read = new AbortController();
  const limit = AbortSignal.any(signal ? [signal, read.signal] : [read.signal]);
  try {
    return await Promise.race([readLine(channel), clock.sleep(patienceMs, limit).then(() => "")]);
  } finally {
    read.abort();
  }
}

function makeHeld(uuid: string, group: ProcessGroup, channel: Duplex): HeldGpu {
  const renewal = setInterval(() => channel.write("keep\n"), RENEW_MS);
  renewal.unref();
  let isReleased = false;
  const lost = new Promise<void>((resolve) => {
    void group.ended.then(() => {
      clearInterval(renewal);
      if (!isReleased) resolve();
    });
  });
  return {
    uuid,
    lost,
    async release() {
      isReleased = true;
      channel.destroy();
      await group.stop(RELEASE_MS);
    },
  };
}

/** How long the holder may take to see that it is not needed any more. */
const RELEASE_MS = 500;

/** Up to the first newline; what came so far where the other side ends before. */
function readLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const finish = () => {
      stream.off("data", take);
      resolve(text.split("\n", 1)[0] as string);
    };
    const take = (part: Buffer) => {
      text += part.toString("latin1");
      if (text.includes("\n")) finish();
    };
    stream.on("data", take);
    stream.once("close", finish);
  });
}
