import { SortieError } from "../base/error.ts";
import { formatGpus } from "../gpus/format-gpus.ts";
import { makeGpuDocument } from "../gpus/make-document.ts";
import { chooseTargetFor } from "./choose-target.ts";
import type { Desk } from "./desk.ts";
import { findAddressOf, makeTarget } from "./find-target.ts";
import { nameHost } from "./host-name.ts";
import { reserveForWaiting } from "./reserve-gpus.ts";

/** The GPUs of a target's host as they are now: the document for `--json`, and lines for people. */
export async function loadGpusNow(desk: Desk, place: { cwd: string; wanted: string }) {
  const choice = await chooseTargetFor(desk, place, { isEntered: false });
  if ("trust" in choice) throw new SortieError("trust_needed", { file: choice.trust.file });
  const target = makeTarget(desk, findAddressOf(choice.target), choice.target.settings);
  const host = nameHost(desk, target);
  const report = reserveForWaiting(desk, await target.loadGpus({ python: null }), host);
  const heading = target.kind === "local" || report.gpus.length === 0 ? [] : [`GPUs of ${target.host}`];
  return {
    document: makeGpuDocument(report, host),
    lines: [...heading, ...formatGpus(report, target.host).trimEnd().split("\n")],
  };
}
