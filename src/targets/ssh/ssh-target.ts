import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { makeGpuProbe } from "../../gpus/make-probe.ts";
import { PROBE_SECONDS, parseGpuReport } from "../../gpus/parse-report.ts";
import { makeObserveScript, parseObserveAnswer } from "../../runs/observe-script.ts";
import type { Target } from "../target.ts";
import { askHost, type HostRunner } from "./ask-host.ts";
import { changeFolder } from "./change-folder.ts";
import { fetchOverSsh } from "./fetch-over-ssh.ts";
import { makeHostScript } from "./host-script.ts";
import { launchOverSsh, prepareOverSsh } from "./launch-over-ssh.ts";
import { listMadeOverSsh } from "./list-made-over-ssh.ts";
import { preflightOverSsh } from "./preflight-over-ssh.ts";
import { readRangesOverSsh } from "./read-ranges-over-ssh.ts";
import { makeRemoteFile } from "./remote-file.ts";
import { sendOverSsh } from "./send-over-ssh.ts";
import { stopOverSsh } from "./stop-over-ssh.ts";
import { watchStartOverSsh } from "./watch-start-over-ssh.ts";

const ANSWER_MS = 30_000;

export interface SshTargetOptions {
  readonly runner: HostRunner;
  /** Where job folders lie on the host: absolute, or from `~/` on; null: in the home folder of Sortie there. */
  readonly jobDir: string | null;
  readonly freeMemoryMiB: number;
}

/** A host over SSH as a target. Every function throws what keeps the host from answering. */
export function makeSshTarget({ runner, jobDir, freeMemoryMiB }: SshTargetOptions): Target {
  return {
    kind: "ssh",
    host: runner.host,
    preflight: (request) => preflightOverSsh(runner, request, { jobDir, freeMemoryMiB }),

    loadGpus({ python }) {
      const token = makeToken();
      return askHost(runner, {
        script: makeHostScript([makeGpuProbe({ token, python })]),
        timeoutMs: PROBE_SECONDS * 1000 + ANSWER_MS,
        read: (stdout) => parseGpuReport(stdout, { token, freeMemoryMiB }),
      });
    },

    ask: (question) => askHost(runner, question),
    send: (code, options) => sendOverSsh(runner, code, options),

    // Nothing is sent before the launch, unless another process launches it.
    prepare: async (job, { isParked = false } = {}) => {
      if (isParked) await prepareOverSsh(runner, job);
    },

    launch: (job) => launchOverSsh(runner, job),
    watchStart: (run, options) => watchStartOverSsh(runner, run, { ...options, freeMemoryMiB }),

    observe(runs, { timeoutMs = ANSWER_MS } = {}) {
      const token = makeToken();
      return askHost(runner, {
        script: makeHostScript([makeObserveScript(runs, token)]),
        timeoutMs,
        read: (stdout) => parseObserveAnswer(stdout, token),
      });
    },

    openFile: (path) => makeRemoteFile(runner, path),
    readRanges: (wishes, options) => readRangesOverSsh(runner, wishes, options),
    listMade: (wish) => listMadeOverSsh(runner, wish),
    fetch: (wish, options) => fetchOverSsh(runner, wish, options),

    async close(run) {
      const { closed } = await changeFolder(runner, run, { call: "close_folder", jobDir });
      if (closed !== undefined) return closed === "yes";
      throw new SortieError("launch_unsure", { run: run.id, reason: `${run.jobFolder} cannot be written` });
    },

    tidy: async (run) => {
      await changeFolder(runner, run, { call: "tidy_folder", jobDir });
    },

    async removeFolder(run) {
      const { refused } = await changeFolder(runner, run, { call: "remove_folder", jobDir });
      if (refused === undefined) return;
      throw new SortieError("folder_kept", { folder: run.jobFolder, host: runner.host, reason: refused });
    },

    stop: (run, options) => stopOverSsh(runner, run, options),
  };
}
