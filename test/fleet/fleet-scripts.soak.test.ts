import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stopFleet } from "../../src/supervise/fleet/stop-fleet.ts";
import { CHECKOUT } from "../support/contestant.ts";
import { useFleetStage } from "../support/fleet-stage.ts";
import { waitFor } from "../support/wait-for.ts";

const stage = useFleetStage();

it("serves a job through the challenge's own launcher, each agent on the GPU that its run has leased", async () => {
  const { desk, job } = await stage.submit({ gpus: 2, parallelism: 2, cases: 8, steps: 4 });
  stage.open(1, 2);
  writeFileSync(join(stage.sortie.project(), "slow"), "");
  const env = { ...desk.env, SORTIE_HANDLER: "policy.mjs", CHALLENGE_PASSWORD: "not for agents" };
  const launcher = { handler: undefined, runner: join(CHECKOUT, "scripts", "tunnel.sh") };
  await stage.launch({ ...desk, env }, launcher);
  const ended = await stage.waitForFleet(desk, ({ state }) => state === "ended", "the end");
  expect(ended).toMatchObject({ jobUuid: job.uuid, outcome: { isDrained: true, others: [] } });
  expect(ended.agents.map(({ state }) => state)).toEqual(["drained", "drained"]);
  expect(stage.readJournal().filter((line) => line.startsWith("up"))).toHaveLength(2);
});

it("starts the rest of launchers that say nothing only at a person's word", async () => {
  const { desk, job } = await stage.submit({ gpus: 2, parallelism: 2 });
  const told = join(stage.sortie.project(), "told");
  writeFileSync(
    join(stage.sortie.project(), "own.sh"),
    `#!/bin/sh\necho "$* $CHALLENGE_TOKEN $CUDA_DEVICE_ORDER \${CUDA_VISIBLE_DEVICES-unset} \${CHALLENGE_PASSWORD-unset}" >>told\nexec sleep 300\n`,
    { mode: 0o755 },
  );
  const env = { ...desk.env, CHALLENGE_PASSWORD: "not for agents" };
  const launcher = { handler: undefined, runner: "own.sh" };
  const { notes } = await stage.plan({ ...desk, env }, launcher);
  expect(notes.join()).not.toContain("shell text"); // its path has spaces in it, and is a path all the same
  await stage.launch({ ...desk, env }, launcher);
  await stage.waitForFleet(
    desk,
    ({ agents: [first, second], jobSaid }) =>
      first?.state === "unknown" && second?.state === "waiting" && jobSaid !== null,
    "an agent of which nothing is known",
  );
  const released = await stage.sortie.ask(["agents", "release"], { env: desk.env });
  expect(released).toMatchObject({ exit: 0, fleet: { jobUuid: job.uuid } });
  const both = await stage.waitForFleet(
    desk,
    ({ agents }) => agents.every(({ state }) => state === "unknown"),
    "both agents",
  );
  const lines = [0, 1].map(
    (index) => `${index} ${job.uuid} ${both.endpoint} ${job.token} PCI_BUS_ID unset unset`,
  );
  const readLines = () => readFileSync(told, "utf8").trim().split("\n");
  await waitFor(() => readLines().length === 2, { what: "the words of both launchers" });
  expect(readLines()).toEqual(lines);
  const { fleet } = await stopFleet(desk, null, { graceS: 3, force: true });
  expect(fleet.agents.map(({ state }) => state)).toEqual(["stopped", "stopped"]);
});

it("is told of launchers that leave at once and well: the job is live, and nothing serves it", async () => {
  const { desk } = await stage.submit({ gpus: 2, parallelism: 2 });
  writeFileSync(join(stage.sortie.project(), "own.sh"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  await stage.launch(desk, { handler: undefined, runner: "own.sh" });
  const { outcome } = await stage.waitForFleet(desk, ({ state }) => state === "ended", "the end");
  expect(outcome?.isDrained).toBe(false);
  expect(outcome?.others[0]).toMatchObject({ number: 1, why: expect.stringMatching(/the job is live/) });
});
