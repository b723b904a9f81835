import { dirname } from "node:path";
import { systemClock } from "../../../base/clock.ts";
import { writeFileAtomic } from "../../../disk/atomic-file.ts";
import { makeLocalRunner } from "../../../process/local-runner.ts";
import { nameModalFiles } from "../modal-files.ts";
import { followApp } from "./follow-app.ts";
import { loadOrder } from "./follow-order.ts";
import type { FollowMeans } from "./following.ts";

/** The job of a run on Modal: carries out the order in its job folder. Answers with the exit code. @throws file_unreadable */
export function carryOutOrder(
  path: string,
  means: Pick<FollowMeans, "env" | "print" | "stop">,
): Promise<number> {
  const order = loadOrder(path);
  const { end } = nameModalFiles(dirname(path));
  return followApp(order, {
    ...means,
    ...{ runner: makeLocalRunner(), clock: systemClock },
    keepEnd: (told) => writeFileAtomic(end, `${JSON.stringify(told, null, 2)}\n`, { mode: 0o600 }),
  });
}
