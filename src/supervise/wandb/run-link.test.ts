import { expect, it } from "vitest";
import type { RunWandb } from "../../runs/run-record.ts";
import { describeRunWandb } from "./run-link.ts";

const RUN: RunWandb = {
  ...{ project: "digits", entity: "team", id: "r1", mode: "offline", url: "http://127.0.0.1:9" },
};
const LINK = "http://127.0.0.1:9/team/digits/runs/r1";

it.each([
  [{}, `offline; once sent: ${LINK}`],
  [{ mode: "online" }, LINK],
  [{ way: "forward" }, `${LINK}, forwarded from its log once it has ended`],
  [{ way: "forward", rows: 0 }, "nothing was forwarded: its log holds no numbers"],
  [
    { way: "none" },
    `nothing was forwarded: no program \`wandb\` was on this machine. What it logged by itself: offline; once sent: ${LINK}`,
  ],
] as const)("%j is told as %j", (more, expected) => {
  expect(describeRunWandb({ ...RUN, ...more }, { isSent: false })).toBe(expected);
});
