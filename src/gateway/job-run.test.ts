import { expect, it } from "vitest";
import { systemClock } from "../base/clock.ts";
import { gatewayFlags, gatewayTimers } from "./gateway-flags.ts";
import type { JobJournal } from "./job-journal.ts";
import { JobRun } from "./job-run.ts";
import type { Link } from "./link.ts";
import { Scheduler } from "./scheduler.ts";
import type { CaseSpec } from "./simulator.ts";
import type { Tunnel } from "./tunnel.ts";

/** What is written down and what the agent hears, in one order, of a job with so many cases that one agent plays. */
async function play(caseCount: number): Promise<string[]> {
  const happened: string[] = [];
  const journal: JobJournal = {
    begin: (spec) => happened.push(`begin ${spec.index}`),
    keepReply: () => undefined,
    record: (_spec, policy) => ({ policy, close: () => undefined }),
    end: ({ spec }) => happened.push(`end ${spec.index}`),
    noteAgent: () => undefined,
    settle: (_end, whenWritten) => {
      happened.push("settle");
      whenWritten();
    },
  };
  const job = new JobRun(
    {
      ...{ uuid: "j", owner: "ann", tokenHash: Buffer.alloc(32), parallelism: 1, journal },
      cases: Array.from({ length: caseCount }, (_, index): CaseSpec => ({ task: "pick", index, seed: 0 })),
      ownSeat: { boards: [], play: async () => ({ score: 1, steps: 0 }) },
    },
    {
      ...{ flags: gatewayFlags, timers: gatewayTimers, clock: systemClock },
      scheduler: new Scheduler<Tunnel>(),
      closing: new AbortController().signal,
      report: () => undefined,
    },
  );
  job.start();
  const tunnel = job.openTunnel("a");
  const link: Partial<Link> = {
    sendControl: ({ type }) => void happened.push(type),
    sendPing: () => undefined,
  };
  tunnel.attach(link as Link);
  tunnel.receivePong("");
  tunnel.becomeReady();
  await expect.poll(() => happened.at(-1)).toBe("drain");
  return happened;
}

it("is told to an agent when it is on record, and not before", async () => {
  const session = (index: number) => [`begin ${index}`, "session_open", `end ${index}`, "session_close"];
  expect(await play(2)).toEqual(["warmup", ...session(0), ...session(1), "settle", "drain"]);
});
