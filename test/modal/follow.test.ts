import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { makeLocalRunner } from "../../src/process/local-runner.ts";
import { followApp } from "../../src/supervise/modal/follow/follow-app.ts";
import type { FollowOrder } from "../../src/supervise/modal/follow/follow-order.ts";
import type { ModalEnd } from "../../src/supervise/modal/follow/modal-end.ts";
import { makeLauncher } from "../../src/targets/modal/launcher/make-launcher.ts";
import { nameApp } from "../../src/targets/modal/name-run.ts";
import { makeRunArguments } from "../../src/targets/modal/run-modal.ts";
import { useModal } from "../support/modal/modal-stage.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const modal = useModal();
const folder = useTempFolder();
const RUN = "r0123456789";

/** Runs the client, and kills it once the command has begun. */
const KILL_CLIENT = `"$@" & until grep -qs begun "$MODAL_DOUBLE"/apps/*.log; do kill -0 $! || break; sleep 0.05; done; kill -9 $!; wait $!`;

test("ends with the command's own exit code, also where its client was killed", async () => {
  modal.addVolume("kept");
  const code = join(folder(), "code");
  mkdirSync(code);
  writeFileSync(join(code, "notes"), "");
  const launcher = join(folder(), "launcher.py");
  const image = { from: "plain", base: null } as const;
  const terms = {
    codeDir: code,
    leftOut: [],
    gpus: [],
    timeoutS: 60,
    secrets: [],
    envNames: ["SEED"],
    results: [],
  };
  const script =
    "import os, sys, time; print('begun'); time.sleep(1); print(os.environ['SEED']); sys.exit(3)";
  const command = ["python3", "-c", script];
  writeFileSync(launcher, makeLauncher({ runId: RUN, command, volume: "kept", image, ...terms }));
  const call = {
    app: launcher,
    function: null,
    args: [],
    takes: "any",
    detach: true,
    name: nameApp(RUN),
  } as const;
  const order: FollowOrder = {
    ...{ schema: 1, runId: RUN, app: call.name, cwd: code, volume: "kept" },
    argv: ["sh", "-c", KILL_CLIENT, "sh", ...makeRunArguments(call)],
    ...{ variables: { SEED: "seed 7" }, limitS: 60 },
  };
  const printed: Uint8Array[] = [];
  let end: ModalEnd | null = null;
  const exitCode = await followApp(order, {
    ...{ runner: makeLocalRunner(), clock: systemClock, stop: new AbortController().signal },
    env: { ...modal.env(), HOME: folder() },
    print: (text) => printed.push(Buffer.from(text)),
    keepEnd: (told) => {
      end = told;
    },
  });
  const text = Buffer.concat(printed).toString();
  expect([exitCode, end], text).toEqual([3, expect.objectContaining({ fault: null, doubt: null })]);
  expect(text).toMatch(/The app goes on there.*\nsortie: By hand: modal app logs.*\nseed 7\n/s);
  const kept = modal.findOnVolume("kept", "results", RUN, "exit.json");
  expect(JSON.parse(readFileSync(kept, "utf8"))).toMatchObject({ exitCode: 3 });
});
