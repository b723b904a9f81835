import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHECKOUT, useContestant } from "../support/contestant.ts";
import { findShells } from "../support/shells.ts";
import { waitFor } from "../support/wait-for.ts";

const contestant = useContestant();

/** Stands for the gateway: it says that it runs, and ends well when it is told to. */
const STAND_IN = `#!/bin/sh
trap 'echo ended >>events; exit 0' TERM
echo "$$" >>events
while :; do sleep 0.05; done
`;

describe("the loop of docs/hosting.md", () => {
  it.each(findShells())("keeps a gateway running under %s, and ends with it", async (shell) => {
    const folder = contestant.temp();
    writeFileSync(join(folder, "sortie"), STAND_IN, { mode: 0o755 });
    const script = contestant.writeScript("keep.sh", readScript(folder));
    const readEvents = () => readFileSync(join(folder, "events"), "utf8").trim().split("\n");
    const waitForEvent = (number: number) =>
      waitFor(() => existsSync(join(folder, "events")) && readEvents()[number], {
        what: `event number ${number + 1}`,
      });

    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    const loop = contestant.start([...shell.split(" "), script], { env });
    process.kill(Number(await waitForEvent(0)), "SIGKILL");
    expect(Number(await waitForEvent(1))).toBeGreaterThan(0);
    loop.signal("SIGTERM");
    expect(await loop.ended).toMatchObject({ exitCode: 0 });
    expect(readEvents()).toHaveLength(3);
    expect(readEvents()[2]).toBe("ended");
  });
});

function readScript(folder: string): string {
  const page = readFileSync(join(CHECKOUT, "docs", "hosting.md"), "utf8");
  const [, script = ""] = /```sh\n(.*?)```/s.exec(page) ?? [];
  expect(script).toContain("cd /srv/challenge ");
  return script.replace("/srv/challenge", `'${folder.replaceAll("'", "'\\''")}'`);
}
