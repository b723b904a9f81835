import { systemClock } from "../../base/clock.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import { findHome } from "../../disk/home.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import type { Environment } from "../desk.ts";
import { type Finding, makeFinding } from "../finding.ts";
import { type Channels, loadChannels } from "./load-channels.ts";

const WHAT = "notifications";

/** What is set to tell the person something, and where. Nothing is dialled: `sortie notify test` does that. */
export async function examineNews(env: Environment): Promise<Finding[]> {
  try {
    const desk = { env, home: findHome(env), clock: systemClock, runner: makeLocalRunner() };
    const channels = await loadChannels(desk);
    const { warnings } = channels;
    return [
      makeFinding(WHAT, "ok", describeChannels(channels)),
      ...warnings.map((warning) => makeFinding(WHAT, "warning", warning)),
    ];
  } catch (fault) {
    const advice = fault instanceof SortieError ? fault.hint : null;
    return [makeFinding(WHAT, "warning", describeFault(fault), advice)];
  }
}

function describeChannels({ notifiers, feishu }: Channels): string {
  if (notifiers.length === 0) return "none are set up";
  const others = notifiers.filter(({ channel }) => channel !== "feishu").map(({ channel }) => channel);
  return [...(feishu === null ? [] : [`Feishu, mode ${feishu.mode}, by ${feishu.file}`]), ...others].join(
    "; ",
  );
}
