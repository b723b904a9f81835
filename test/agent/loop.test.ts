import { describe, expect, it } from "vitest";
import { startJob, useContestant } from "../support/contestant.ts";
import { makeFakeUuid } from "../support/fake-gpus.ts";

const contestant = useContestant();

/** The contestant's text, step 3, as it stands. */
const LOOP = `
[ -f ~/.simubotix-challenge.env ] && . ~/.simubotix-challenge.env
NUM_GPUS=$(nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null | wc -l | tr -d ' ')
# fallback: if nvidia-smi is unavailable, ask the user how many GPUs to use.
K=$(( NUM_GPUS < PARALLELISM ? NUM_GPUS : PARALLELISM ))
echo "launching K=$K processes (parallelism=$PARALLELISM, gpus=$NUM_GPUS)"
PIDS=()
for i in $(seq 0 $((K - 1))); do
  ./scripts/tunnel.sh "$i" "$JOB_UUID" "$TUNNEL_ENDPOINT" &
  PIDS+=($!)
done
trap 'kill "\${PIDS[@]}" 2>/dev/null || true' EXIT
wait
`;

const startLoop = (prefix: string[] = []) =>
  contestant.start([...prefix, "bash", contestant.writeScript("loop", LOOP)]);

describe("the loop over K GPUs", () => {
  it("runs to the drain of the job and ends with 0", async () => {
    const { job, events, state } = await startJob();
    contestant.writeState(state);
    const loop = startLoop();
    expect(await loop.ended).toEqual({ exitCode: 0, signal: null });
    const output = loop.output();
    expect(output).toContain("launching K=2 processes (parallelism=2, gpus=2)");
    for (const place of [0, 1])
      expect(output).toContain(`GPU ${place} (NVIDIA A100-SXM4-80GB), leased: ${makeFakeUuid(place)}`);
    for (const move of ["QUEUED", "WARMUP", "RUNNING", "DRAINING"]) expect(output).toContain(move);
    const { cases } = await job.ended;
    expect(cases.map((played) => played.result?.score)).toEqual([1, 1, 1, 1]);
    expect(new Set(events.map(({ agentId }) => agentId).filter(Boolean)).size).toBe(2);
    await contestant.waitUntilQuiet();
  });

  /** Both agents are in a session that does not end by itself. */
  async function startEndless(prefix: string[] = []) {
    const running = await startJob({
      cases: [0, 1].map((index) => ({ task: "pick", index, seed: index })),
      simulator: async (policy, _, signal) => {
        while (!signal.aborted) await policy.infer(Buffer.from("look"));
        return { score: 1, steps: 1 };
      },
    });
    contestant.writeState(running.state);
    const loop = startLoop(prefix);
    await running.waitForEvents("session_opened", 2);
    await running.waitForEvents("reply", 20);
    return { loop, ...running };
  }

  it("leaves nothing after Ctrl-C, which the whole group gets", async () => {
    const { loop } = await startEndless();
    loop.signalGroup("SIGINT");
    await contestant.waitUntilQuiet();
    expect(await loop.ended).toEqual({ exitCode: null, signal: "SIGINT" });
  });

  it.each(["SIGTERM", "SIGHUP"] as const)("leaves nothing after %s to the loop alone", async (signal) => {
    const { loop } = await startEndless();
    loop.signal(signal);
    await contestant.waitUntilQuiet();
    await loop.ended;
  });

  it("goes on under nohup when its terminal closes", async () => {
    const { loop, events, waitForEvents } = await startEndless(["nohup"]);
    loop.signalGroup("SIGHUP");
    const replies = events.filter(({ type }) => type === "reply").length;
    await waitForEvents("reply", replies + 200);
    expect(events.some(({ type }) => type === "link_closed")).toBe(false);
    loop.signal("SIGTERM");
    await contestant.waitUntilQuiet();
  });

  it("frees its GPUs, so that it can be started again at once", async () => {
    const { loop } = await startEndless();
    loop.signal("SIGTERM");
    await contestant.waitUntilQuiet();
    const { state } = await startJob();
    contestant.writeState(state);
    expect(await startLoop().ended).toEqual({ exitCode: 0, signal: null });
  });
});
