import { expect, it, onTestFinished } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import type { JobRun } from "../job-run.ts";
import { listAgents } from "../records/agents.ts";
import { openRecords } from "../records/open-records.ts";
import { AgentBook } from "./agent-book.ts";

const temp = useTempFolder();

it("writes what changed once another process lets it, and loses nothing until then", () => {
  const [records, other] = [openRecords(temp()), openRecords(temp())];
  for (const one of [records, other]) onTestFinished(() => one.close());
  const tunnels = new Map(["left", "right"].map((agentId) => [agentId, { state: "running" }]));
  const run = { tunnels } as unknown as JobRun;
  const book = new AgentBook(records);
  const flush = () => book.flush((id) => (id === 7 ? run : undefined), new Date());
  records.limitWait(1);
  book.note(7, "left");
  other.together(() => {
    expect(flush).toThrow(expect.objectContaining({ code: "store_busy" }));
    book.note(7, "right");
    expect(flush).toThrow(expect.objectContaining({ code: "store_busy" }));
  });
  flush();
  expect(listAgents(records)).toMatchObject([
    { jobId: 7, agentId: "left", state: "running", isConnected: false },
    { jobId: 7, agentId: "right", state: "running", isConnected: false },
  ]);
});
