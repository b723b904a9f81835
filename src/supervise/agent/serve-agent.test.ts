import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeGpus } from "../../../test/support/fake-gpus.ts";
import { findOwnProcesses } from "../../../test/support/own-processes.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { serveAgent } from "./serve-agent.ts";

const folder = useTempFolder();
const JOB = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";

describe("an agent that is interrupted", () => {
  it("in the import of its handler is over when nothing of it is left", async () => {
    const begun = join(folder(), "begun");
    const text = `import signal, time\nsignal.signal(15, lambda *_: 0)\nopen(${JSON.stringify(begun)}, "w")\ntime.sleep(300)\n`;
    writeFileSync(join(folder(), "handler.py"), text);
    const interrupt = new AbortController();
    const ended = serveAgent(
      {
        handler: "handler.py:handle",
        jobUuid: JOB,
        gatewayUrl: "ws://127.0.0.1:1/",
        accessToken: "t",
        gpu: "0",
      },
      {
        env: { ...process.env, HOME: folder(), ...makeFakeGpus(folder(), { gpus: [{}] }).env },
        cwd: folder(),
        interrupted: interrupt.signal,
        onLog: () => undefined,
        onEvent: () => undefined,
      },
    ).then(
      () => "no fault",
      () => findOwnProcesses().map(({ command }) => command),
    );
    await waitFor(() => existsSync(begun), { what: "the import" });
    interrupt.abort();
    expect(await ended).toEqual([]);
  });
});
