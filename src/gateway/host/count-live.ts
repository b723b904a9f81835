import type { Gauges } from "../operations/show-gauges.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { TunnelSide } from "../tunnel-side.ts";

type Counts = Record<string, number>;

/** What is going on, counted when somebody asks. */
export function countLive({ jobs, host }: TunnelSide, recorder: Recorder | undefined): Gauges {
  return {
    countRecordingBytes: recorder && (() => recorder.bytes),
    countAgents() {
      const counts: Counts = { queued: 0, warmup: 0, running: 0, draining: 0, away: 0 };
      for (const job of jobs.live)
        for (const { link, state } of job.tunnels.values()) add(counts, link === undefined ? "away" : state);
      return counts;
    },
    countWaiting: () => Object.fromEntries(host.scheduler.countWaiting()),
    countPlaying() {
      const counts: Counts = {};
      for (const job of jobs.live) {
        const board = job.parts.cases[0]?.board;
        const playing = host.scheduler.countPlaying(job);
        if (board !== undefined && playing > 0) add(counts, board, playing);
      }
      return counts;
    },
  };
}

function add(counts: Counts, name: string, number = 1) {
  counts[name] = (counts[name] ?? 0) + number;
}
