import { describe, expect, it } from "vitest";
import { judgeLoading, type LoadingSight } from "./judge-loading.ts";

/** One look every ten seconds, in which the instance shows these messages in turn, then stays with the last. */
function look(forS: number, messages: readonly (string | null)[], status = "loading"): LoadingSight[] {
  return Array.from({ length: forS / 10 + 1 }, (_, turn) => ({
    atS: 1000 + turn * 10,
    status,
    message: messages[Math.min(turn, messages.length - 1)] ?? null,
  }));
}

describe("L43 an instance that is loading", () => {
  it("is waited for while its image comes, however long one layer after another takes", () => {
    const pull = Array.from({ length: 90 }, (_, turn) => `f1d8: Downloading [${turn}%]`);
    expect(judgeLoading(look(1100, pull))).toEqual({
      verdict: "wait",
      reason: "loading: f1d8: Downloading [89%]",
      untilS: 1000 + 890 + 300,
    });
  });

  it("is stuck after five minutes without news", () => {
    expect(judgeLoading(look(290, [null])).verdict).toBe("wait");
    expect(judgeLoading(look(300, [null]))).toMatchObject({
      verdict: "stuck",
      reason: "nothing new for 5 min: loading",
    });
  });

  it.each([
    ["the same words in turn", (turn: number) => `layer ${turn % 3}: Waiting`],
    ["a count of seconds", (turn: number) => `f1d8: Retrying in ${1000 - turn} seconds`],
  ])("is stuck where %s is all that comes", (_, say) => {
    const messages = Array.from({ length: 60 }, (_, turn) => say(turn));
    expect(judgeLoading(look(340, messages)).verdict).toBe("stuck");
  });

  it("is stuck after 25 minutes, whatever comes", () => {
    const messages = Array.from({ length: 200 }, (_, turn) => `step ${turn}`);
    expect(judgeLoading(look(1490, messages)).verdict).toBe("wait");
    expect(judgeLoading(look(1500, messages))).toMatchObject({
      verdict: "stuck",
      reason: "not ready after 25 min: loading: step 150",
    });
  });

  it.each(["exited", "offline", "stopped"])("has failed as soon as it is %s", (status) => {
    expect(judgeLoading(look(0, ["host is away"], status))).toMatchObject({
      verdict: "failed",
      reason: `${status}: host is away`,
    });
  });

  it.each([
    "Error response from daemon: failed to create task for container: OCI runtime create failed",
    "docker_build() error writing dockerfile",
    "manifest unknown",
    "write /var/lib/docker/tmp: no space left on device",
  ])("has failed at once with the vendor's words: %s", (message) => {
    expect(judgeLoading(look(10, [null, message]))).toMatchObject({
      verdict: "failed",
      reason: `loading: ${message}`,
    });
  });

  it.each([
    "Setting up liberror-perl",
    "Unpacking libgpg-error0",
    "checked, errors: 0",
    "success, running x",
  ])("has not failed with %s", (message) => expect(judgeLoading(look(0, [message])).verdict).toBe("wait"));

  it("has got over its errors when it runs, but must answer in time", () => {
    const sights = look(600, ["success, running x/y after an error"], "running");
    expect(judgeLoading(sights.slice(0, 3)).verdict).toBe("wait");
    expect(judgeLoading(sights).verdict).toBe("stuck");
  });

  it("is waited for before anything was seen", () => {
    expect(judgeLoading([]).verdict).toBe("wait");
  });
});
