import { existsSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeNewsStage, readTitle, UNTIL_GO } from "../support/news-stage.ts";
import { useNoticeServers } from "../support/notice-servers.ts";
import { useSortie } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const sortie = useSortie();
const servers = useNoticeServers();
const stage = makeNewsStage(sortie);
const CPU = ["--gpus", "none"];

describe("L57 a Feishu server", () => {
  it("L57 that says 19021, 9499 or 11232 with HTTP 200 has not taken the card: visible, backed off, sent once", async () => {
    const feishu = await servers.serveFeishu({ script: [19021, 9499, 11232] });
    stage.setFeishu({ mode: "push", webhook_url: feishu.url });
    const { id } = await sortie.launch(UNTIL_GO, [...CPU, "--name", "first"]);
    await stage.waitForStates(["launched failed"]);
    expect(stage.readRows()[0]?.["reason"]).toMatch(/^code 19021: the signature is wrong/);
    stage.go();
    await stage.waitForHome(id);
    for (const [faults, code] of [9499, 11232].entries()) {
      await waitFor(() => String(stage.readRows()[1]?.["reason"]).includes(`code ${code}`), {
        what: `the refusal ${code}`,
      });
      // It waits for its next try, and the channel is left alone till then.
      expect(stage.readStates()).toEqual(["launched failed", "ended waiting"]);
      const body = String(stage.readRows("notice_channels")[0]?.["body"]);
      expect(body).toMatch(new RegExp(`"faults":${faults + 1},"pausedUntilMs":1\\d{12}`));
      stage.endPauses();
    }
    await stage.waitForStates(["launched failed", "ended sent"]);
    await stage.waitForQuiet();
    expect(feishu.cards.map(readTitle)).toEqual(["Experiment succeeded: first"]);
    expect(feishu.calls).toHaveLength(4);
    expect((await sortie.ask(["notify", "ls"])).notices).toMatchObject([
      { state: "sent", phase: "ended" },
      { state: "failed", phase: "launched", reason: expect.stringContaining("code 19021") },
    ]);
    for (const code of [19021, 9499, 11232]) expect(stage.readLog()).toContain(`code ${code}`);
    const events = stage.readRows("events").filter(({ kind }) => kind === "notice_unsent");
    expect(events).toHaveLength(3);
  });

  it("L57 that hangs delays neither the launch, nor the end, nor what comes home", async () => {
    const open = new Set<object>();
    const feishu = await servers.serveFeishu({
      script: Array.from({ length: 9 }, () => (_call: unknown, response: ServerResponse) => {
        open.add(response);
        response.on("close", () => open.delete(response));
      }),
    });
    stage.setFeishu({ mode: "push", webhook_url: feishu.url });
    const first = await sortie.launch(UNTIL_GO, [...CPU, "--name", "first"]);
    await waitFor(() => open.size > 0, { what: "the card that hangs" });
    const second = await sortie.launch(
      ["sh", "-c", "mkdir results; echo 2 >results/b"],
      [...CPU, "--name", "second"],
    );
    stage.go();
    // Nobody but the watcher brings them home, while its first card still waits for its answer.
    const isHome = (id: string) => existsSync(join(sortie.home(), "runs", id, "results"));
    await waitFor(() => isHome(first.id) && isHome(second.id), { timeoutMs: 9_000, what: "results at home" });
    expect(open.size).toBe(1);
    expect(feishu.calls).toHaveLength(1);
  });
});
