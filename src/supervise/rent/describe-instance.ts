import { userInfo } from "node:os";
import { formatDollars } from "../../base/dollars.ts";
import { formatDuration } from "../../base/duration.ts";
import { describeSshHost } from "../../process/ssh/ssh-host.ts";
import type { PlanTerms } from "../plan.ts";
import type { ChosenInstance } from "./find-instance.ts";

/** What becomes of the machine when the run is over. */
export function describeInstanceEnd({ number, autoDestroy, dollarsPerHour }: ChosenInstance): string {
  if (autoDestroy) {
    return `destroy the instance ${number} once the run has ended and its results and logs are home, compared by hash`;
  }
  return `leave the instance ${number} as it is at the end, at ${formatDollars(dollarsPerHour)} an hour; \`${makeCleanup(number)}\` ends that`;
}

/** What a person needs to know to clean up behind the run, whatever becomes of Sortie. */
export function describeInstanceNotes(
  { number, gpus, dollarsPerHour, way }: ChosenInstance,
  { remote, expected }: Pick<PlanTerms, "remote" | "expected">,
): string[] {
  const place = remote ? `${describeSshHost(remote.address)} (${way}), folder ${remote.folder}` : way;
  const time = expected.seconds === null ? "unknown" : `about ${formatDuration(expected.seconds)}`;
  return [
    `instance ${number} (${gpus}) at ${place}`,
    `it costs ${formatDollars(dollarsPerHour)} an hour; expected duration: ${time}`,
    `cleanup: ${makeCleanup(number)}; it is up to ${findOwner()}`,
  ];
}

export function makeCleanup(number: number): string {
  return `sortie vast destroy ${number}`;
}

function findOwner(): string {
  try {
    return userInfo().username;
  } catch {
    return "whoever launches it"; // a number without a name, as in many containers
  }
}
