import { expect, it } from "vitest";
import { type AgentShown, formatFleet } from "./format-fleet.ts";
import { makeFleetNews } from "./format-fleet-news.ts";

const now = new Date("2026-11-29T12:00:00Z");
const agent = (number: number, more: Partial<AgentShown> = {}): AgentShown => ({
  ...{ number, run: `agent-3f2b8c1e-${number}`, gpu: String(number - 1), state: "running" },
  ...{ sessions: 3, inFlight: 1, frames: 1200, p50Ms: 4.25, lastNewsAt: "2026-11-29T11:59:58Z", note: null },
  ...more,
});
const unstarted = { sessions: null, inFlight: 0, frames: null, p50Ms: null, lastNewsAt: null };
const fleet = {
  ...{ name: "agents-3f2b", state: "running", cause: null },
  agents: [
    agent(1),
    agent(2, {
      state: "waiting",
      note: "killed by signal 9, likely out of memory: 79.2 of 80 GB were taken at its last sample; starts again in 6 s",
    }),
    agent(3, { state: "failed", p50Ms: 812.4, note: "ImportError: \u001b[31mno module\nnamed policy" }),
    agent(4, { state: "waiting", gpu: null, ...unstarted, note: "its turn to start" }),
    agent(5, { state: "waiting", gpu: null, ...unstarted, note: "its turn to start" }),
  ],
};

it("is whole at 80 columns: notes stand below the table, not in what room it leaves", () => {
  expect(formatFleet(fleet, now, 80)).toEqual([
    "agents-3f2b is running: 1 of 5 agents up, 9 sessions, 3600 frames.",
    "AGENT  GPU  STATE    SESSIONS  FRAMES     P50  LAST NEWS  RUN",
    "1      0    running         3    1200  4.3 ms  2 s ago    agent-3f2b8c1e-1",
    "2      1    waiting         3    1200  4.3 ms  2 s ago    agent-3f2b8c1e-2",
    "3      2    failed          3    1200  812 ms  2 s ago    agent-3f2b8c1e-3",
    "4      -    waiting         -       -       -  -          agent-3f2b8c1e-4",
    "5      -    waiting         -       -       -  -          agent-3f2b8c1e-5",
    "  2: killed by signal 9, likely out of memory: 79.2 of 80 GB were taken at its",
    "    last sample; starts again in 6 s",
    "  3: ImportError: \\x1b[31mno module named policy",
    "  4, 5: its turn to start",
  ]);
});

it("at 200 columns each note is one line, at 50 the runs are left out, and nothing is wider", () => {
  expect(formatFleet(fleet, now, 200)).toHaveLength(10);
  const narrow = formatFleet(fleet, now, 50);
  expect(narrow.join("\n")).not.toContain("RUN");
  for (const line of narrow) expect(line.length).toBeLessThanOrEqual(50);
});

it("says how a person starts the rest where a launcher does not say that it is up", () => {
  const silent = { ...fleet, agents: [agent(1, { state: "unknown" }), agent(2, { state: "waiting" })] };
  expect(formatFleet(silent, now, 80).slice(-2).join(" ")).toBe(
    "Whether agent 1 is up its log does not say. If it is: sortie agents release agents-3f2b starts the rest.",
  );
  expect(formatFleet({ ...silent, agents: silent.agents.slice(0, 1) }, now, 80).at(-1)).toMatch(/^1 /);
});

it("tells a stream what has changed, and the whole now and then", () => {
  const tell = makeFleetNews();
  expect(tell(fleet, now)).toEqual([
    "2026-11-29T12:00:00Z agent 1 on GPU 0: running",
    "2026-11-29T12:00:00Z agent 2 on GPU 1: waiting, 3 sessions: killed by signal 9, likely out of memory: 79.2 of 80 GB were taken at its last sample; starts again in 6 s",
    "2026-11-29T12:00:00Z agent 3 on GPU 2: failed, 3 sessions: ImportError: \\x1b[31mno module named policy",
    "2026-11-29T12:00:00Z agent 4: waiting: its turn to start",
    "2026-11-29T12:00:00Z agent 5: waiting: its turn to start",
    "2026-11-29T12:00:00Z agents-3f2b is running: 1 of 5 agents up, 9 sessions, 3600 frames.",
  ]);
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const played = {
    ...fleet,
    agents: [agent(1, { frames: 1201 }), ...fleet.agents.slice(1, 3), agent(4), ...fleet.agents.slice(4)],
  };
  expect(tell(played, later(10))).toEqual(["2026-11-29T12:00:10Z agent 4 on GPU 3: running"]);
  expect(tell(played, later(61))).toEqual([
    "2026-11-29T12:01:01Z agents-3f2b is running: 2 of 5 agents up, 12 sessions, 4801 frames.",
  ]);
  expect(tell(played, later(200))).toEqual([]);
  expect(tell({ ...played, headline: "Job 3: running" }, later(201))).toEqual([
    "2026-11-29T12:03:21Z Job 3: running",
  ]);
  expect(tell({ ...played, state: "ended", cause: "all drained" }, later(202))).toEqual([
    "2026-11-29T12:03:22Z agents-3f2b has ended (all drained): 12 sessions, 4801 frames.",
  ]);
});
