import { systemClock } from "../../base/clock.ts";
import { findHome } from "../../disk/home.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import type { Environment } from "../desk.ts";
import { type Finding, makeFinding } from "../finding.ts";
import { type Channels, loadChannels } from "./load-channels.ts";

const WHAT = "notifications";

/** What is set to tell the person something, and where. Nothing is dialled: `sortie notify test` does that. */
export async function examineNews(env: Environment): Promise<Finding[]> {
  const desk = { env, home: findHome(env), clock: systemClock, runner: makeLocalRunner() };
  const channels = await loadChannels(desk);
  const { notifiers, faults, warnings } = channels;
  return [
    ...(notifiers.length > 0 || faults.length === 0
      ? [makeFinding(WHAT, "ok", describeChannels(channels))]
      : []),
    ...faults.map(({ message, hint }) => makeFinding(WHAT, "warning", message, hint)),
    ...warnings.map((warning) => makeFinding(WHAT, "warning", warning)),
  ];
}

function describeChannels({ notifiers, feishu }: Channels): string {
  if (notifiers.length === 0) return "none are set up";
  const others = notifiers.filter(({ channel }) => channel !== "feishu").map(({ channel }) => channel);
  return [...(feishu === null ? [] : [`Feishu, mode ${feishu.mode}, by ${feishu.file}`]), ...others].join(
    "; ",
  );
}
