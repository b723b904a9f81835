import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFakeUuid } from "../support/fake-gpus.ts";
import { useFleetStage } from "../support/fleet-stage.ts";
import { makeNewsStage, readTitle } from "../support/news-stage.ts";
import { useNoticeServers } from "../support/notice-servers.ts";
import { waitFor } from "../support/wait-for.ts";

const stage = useFleetStage();
const servers = useNoticeServers();
const news = makeNewsStage(stage.sortie);

it("a fleet has one card at its launch and one at its end, an agent one when it is started again, a job one at its end", async () => {
  const feishu = await servers.serveFeishu();
  news.setFeishu({ mode: "push", webhook_url: feishu.url });
  const { desk, job, hosted } = await stage.submit({ gpus: 2, parallelism: 2, cases: 4, steps: 20 });
  writeFileSync(join(stage.sortie.project(), "slow"), "");
  const fleet = await stage.launch(desk);
  const load = await waitFor(() => stage.readJournal().find((line) => line.startsWith("load 1")), {
    ...{ timeoutMs: 20_000, what: "the load of agent 1" },
  });
  process.kill(Number(load.split(" ")[3]), "SIGKILL");
  await news.waitForStates(["restart-1 sent"]);
  stage.open(1, 2);
  await stage.waitForFleet(desk, ({ state }) => state === "ended", "the end of the fleet");
  const watched = await stage.sortie.run(["challenge", "watch", String(job.id)], {
    env: { SORTIE_CHALLENGE_URL: hosted.apiUrl },
  });
  expect(watched.exitCode).toBe(0);
  await stage.sortie.run(["challenge", "watch", String(job.id)], {
    env: { SORTIE_CHALLENGE_URL: hosted.apiUrl },
  });
  await news.waitForStates(["restart-1 sent", "launched sent", "ended sent", "ended sent"]);
  await news.waitForQuiet();
  const find = (title: RegExp) => feishu.cards.filter((card) => title.test(readTitle(card)));
  expect(feishu.cards).toHaveLength(4);
  const [launched] = find(/^2 experiments launched$/);
  for (const number of [0, 1]) expect(launched?.text).toContain(`GPU ${number} &#40;`);
  expect(launched?.text).not.toContain(makeFakeUuid(0));
  expect(find(/^Agent 1 is started again: /)[0]?.text).toContain("killed by signal 9");
  expect(find(new RegExp(`^Fleet ${fleet.name}: all drained$`))).toHaveLength(1);
  const [ended] = find(new RegExp(`^Job ${job.id} is over: `));
  expect(ended?.text).toContain("4 of 4 cases done");
  expect(ended?.text).toMatch(/score \d/);
  expect(JSON.stringify(feishu.cards)).not.toContain(job.token);
});
