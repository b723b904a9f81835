import { formatDollars } from "../../base/dollars.ts";
import type { ErrorNotice } from "../../notify/notice.ts";
import { appendEvent } from "../../runs/events.ts";
import { loadRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { openNews } from "../news/open-news.ts";
import { makeCleanup } from "./describe-instance.ts";
import type { Instance } from "./instance.ts";
import { changeInstance } from "./instance-store.ts";

/**
 * Puts on record why a machine still costs money though its run is over, and tells it. The same reason is told once; `as` names it
 * where its words may differ from time to time.
 */
export async function keepInstance(
  desk: Desk,
  instance: Instance,
  reason: string,
  { as = reason }: { readonly as?: string } = {},
): Promise<Instance> {
  if (instance.keptFor === reason) return instance;
  const now = desk.clock.now();
  const kept = desk.store.together(() => {
    appendEvent(desk.store, instance.run, "instance_kept", { number: instance.number, reason }, now);
    return changeInstance(desk.store, instance.run, { keptFor: reason }) ?? instance;
  });
  const news = await openNews(desk);
  news?.add(makeKeptNotice(desk, kept, { reason, as }));
  return kept;
}

function makeKeptNotice(
  desk: Desk,
  { run: id, number, dollarsPerHour }: Instance,
  { reason, as }: { readonly reason: string; readonly as: string },
): ErrorNotice {
  const { name } = loadRun(desk.store, id);
  const [which, end] =
    number === null
      ? ["what was rented for it", "sortie vast ls"]
      : [`instance ${number}`, makeCleanup(number)];
  return {
    ...{ kind: "error", phase: `kept: ${as}`, subject: id, at: desk.clock.now().toISOString() },
    what: `${which} still costs ${formatDollars(dollarsPerHour)} an hour`,
    message: `${name} is over, and ${which} was not destroyed: ${reason}.`,
    lines: [`End that: ${end}`],
  };
}
