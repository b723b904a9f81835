import { systemClock } from "../../base/clock.ts";
import { openVast, type Vast } from "../../targets/vast/api/open-vast.ts";
import { findVastKey, findVastUrl } from "../../targets/vast/find-key.ts";
import type { Desk } from "../desk.ts";

export type { Vast };

/** What is needed to ask a vendor. */
export type AccountDesk = Pick<Desk, "env"> & Partial<Pick<Desk, "clock" | "leaving">>;

/** The person's account, with the key that the vendor's own program uses. @throws vast_key_missing, vast_key_unusable */
export function openAccount({ env, clock = systemClock, leaving }: AccountDesk): Vast {
  const { key } = findVastKey(env);
  return openVast({ key, url: findVastUrl(env), clock, ...(leaving && { signal: leaving }) });
}
