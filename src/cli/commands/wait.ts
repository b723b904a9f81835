import { parseDuration } from "../../base/duration.ts";
import { SortieError } from "../../base/error.ts";
import { collectQuietly } from "../../supervise/collect-run.ts";
import { loadRunAsKnown, loadRunNow } from "../../supervise/find-runs.ts";
import { waitForEnd } from "../../supervise/follow-run.ts";
import { makeRunDocument } from "../../supervise/make-document.ts";
import { defineCommand } from "../define-command.ts";
import { sayRows } from "../say-lines.ts";
import { formatOutcome } from "../views/format-ending.ts";
import { describeSilence } from "../views/format-silence.ts";
import { withDesk } from "../with-desk.ts";

export const command = defineCommand<{ timeout?: string }>({
  describe: (c) =>
    c
      .argument("<run>", "id, name, or the unique start of either")
      .option("--timeout <time>", "give up after this time (exit 124): 90s, 15m, 2h"),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const seconds = options.timeout === undefined ? null : parseDuration(options.timeout, "--timeout");
      const before = await loadRunNow(desk, args[0] as string);
      const ended = await waitForEnd(desk, before.id, {
        timeoutMs: seconds === null ? null : seconds * 1000,
        onSilence: (run) => io.warn(`${run.name} is waited for, though ${describeSilence(run)} now.`),
      });
      if (!ended) {
        const { state, name: run } = loadRunAsKnown(desk, before.id);
        throw new SortieError("wait_timeout", { run, state, seconds });
      }
      const run = await collectQuietly(desk, ended.id);
      if (io.json) io.printDocument(makeRunDocument(run));
      else sayRows(io, formatOutcome(run));
      return run.state === "succeeded" ? 0 : 1;
    }),
});
