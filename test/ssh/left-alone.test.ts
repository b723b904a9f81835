import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import { findOwnProcesses } from "../support/own-processes.ts";
import { useServerStage } from "../support/server-stage.ts";
import { SORTIE } from "../support/sortie.ts";
import { useSshd } from "../support/sshd.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const stage = useServerStage(sshd);

afterEach(() => sshd().proxy.throttle(0));

const listTransfers = () =>
  findOwnProcesses().filter(({ command }) => /^rsync |rsync --server/.test(command));
const listOrders = () =>
  readdirSync(sshd().socketFolder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /rsync-[^/]*$/.test(name),
  );
const codeDir = () => join(stage.temp(), "host code");
/** What has come of a file lies beside it by another name, and is set aside when its transfer ends early. */
const hasBegun = () => existsSync(codeDir()) && readdirSync(codeDir()).some((name) => /^\.model/.test(name));

/** `sortie run` until it is ended by TERM in the middle of its transfer. */
async function interruptTransfer() {
  sshd().proxy.throttle(500_000);
  const controller = new AbortController();
  const { personHome: HOME, socketFolder: XDG_RUNTIME_DIR } = sshd();
  const ended = makeLocalRunner().run(
    [process.execPath, SORTIE, "run", "--yes", "--gpus", "none", "--", "true"],
    {
      env: stage.makeEnv({ HOME, XDG_RUNTIME_DIR }),
      cwd: stage.project(),
      timeoutMs: 60_000,
      signal: controller.signal,
    },
  );
  await waitFor(hasBegun, { what: "the transfer" });
  controller.abort();
  await ended;
  sshd().proxy.throttle(0);
}

describe("whoever launched is gone in the middle of the transfer", () => {
  it("ends the transfer, starts nothing, and the next one goes on where it was", async () => {
    stage.write({ "model.py": randomBytes(10_000_000) });
    stage.writeSection([`- Code dir: \`${codeDir()}\``, `- job_dir: \`${join(stage.temp(), "jobs")}\``]);
    await interruptTransfer();
    await waitFor(() => listTransfers().length === 0, { what: "the end of the transfer" });
    expect(existsSync(join(codeDir(), "model.py"))).toBe(false);
    expect(readdirSync(join(codeDir(), ".sortie-partial"))).toEqual(["model.py"]);
    const { runs } = await stage.ask(["ls"]);
    expect(runs).toMatchObject([{ state: "failed", endReason: "never_started" }]);

    const { id } = await stage.launch(["true"]);
    expect(await stage.finish(id)).toMatchObject({ state: "succeeded" });
    expect(readdirSync(codeDir())).toEqual(["AGENTS.md", "model.py"]);
    expect(listOrders()).toEqual([]);
  });
});
