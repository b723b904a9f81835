import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useRemoteSortie } from "../support/remote-stage.ts";
import { useSshd } from "../support/sshd.ts";
import { writeTraining } from "../support/training.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const sortie = useRemoteSortie(sshd);

describe("a run on a host over the network", () => {
  it("shows what its log says there now, what has come of it while its host is silent, and all of it in the end", async () => {
    sortie.writeTargets("box");
    writeTraining(sortie.project());
    const command = ["python3", "train.py", "--hold", "4"];
    const { id } = await sortie.launch("box", command);
    const loss = async () => (await sortie.show(id)).metrics.loss;
    await waitFor(async () => (await loss())?.values === 4, { timeoutMs: 20_000, what: "four values" });
    expect(await loss()).toMatchObject({ last: 0.5, max: 4, steps: 4 });
    // The copy at home is the watcher's.
    const mirror = join(sortie.home(), "mirror", id, "log");
    await waitFor(() => existsSync(mirror) && readFileSync(mirror, "utf8").includes("step 4"), {
      ...{ timeoutMs: 30_000, what: "the copy of its log" },
    });
    sshd().proxy.onDial("reset");
    sshd().proxy.cut();
    const silent = await sortie.show(id);
    expect(silent.metrics.loss).toMatchObject({ last: 0.5, values: 4 });
    expect(silent.metricNotes).toEqual([expect.stringContaining("box cannot be reached")]);
    sshd().proxy.onDial("pass");
    writeFileSync(join(sshd().hostHome, "code-box", "go"), "");
    await waitFor(async () => (await sortie.show(id)).collected, { timeoutMs: 30_000, what: "its results" });
    const { metrics } = await sortie.show(id);
    expect(metrics.loss).toMatchObject({ last: 8 / 2 ** 10, values: 10, steps: 10 });
    expect(metrics.eval_accuracy.last).toBe(0.6);
  });
});
