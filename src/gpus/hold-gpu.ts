import type { Readable } from "node:stream";
import { makeSettings } from "../base/script.ts";
import { startGroup } from "../process/process-group.ts";
import holdScript from "./hold-gpu.sh";
import leaseFunctions from "./lease.sh";

/** A lease that a process of its own holds for us, and lets go when it is released or when we are gone. */
export interface HeldGpu {
  readonly uuid: string;
  release(): Promise<void>;
}

export interface HoldOptions {
  /** UUIDs, the first choice first. */
  readonly candidates: readonly string[];
  /** What others read about who holds it, as they read the id of a run. */
  readonly holder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Cleaners of /tmp leave a file alone whose date is younger than some days. */
const RENEW_MS = 24 * 60 * 60 * 1000;

/** Takes one GPU as a run takes it. `held`: others have all of them. `failed`: this machine can make no lease. */
export async function holdGpu(options: HoldOptions): Promise<HeldGpu | "held" | "failed"> {
  const settings = makeSettings({
    sortie_run_id: options.holder,
    sortie_gpu_candidates: options.candidates.join(" "),
  });
  const script = [settings, leaseFunctions, holdScript].join("\n");
  // By the environment, so that `ps` shows what this process is for and not the whole text.
  const argv = ["sh", "-c", 'eval "$sortie_script"', "sortie-gpu-lease"];
  const env = { ...options.env, sortie_script: script };
  const group = await startGroup(argv, { cwd: "/", env, outputFd: 2, channels: ["socket"] });
  if ("notStarted" in group) return "failed";
  const [channel] = group.channels;
  if (!channel) return "failed";
  const [word, uuid] = (await readLine(channel)).split(" ");
  if (word !== "taken" || uuid === undefined) {
    await group.stop(RELEASE_MS);
    return word === "held" ? "held" : "failed";
  }
  const renewal = setInterval(() => channel.write("keep\n"), RENEW_MS);
  renewal.unref();
  return {
    uuid,
    async release() {
      clearInterval(renewal);
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
