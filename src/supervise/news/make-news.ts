import { addNotice } from "../../notify/outbox/add-notice.ts";
import type { Desk } from "../desk.ts";
import type { Channels } from "./load-channels.ts";
import type { News } from "./news.ts";
import { makeOutbox } from "./outbox-store.ts";

export function makeNews({ store, clock }: Desk, { notifiers, secrets }: Channels): News {
  const outbox = makeOutbox(store);
  const channels = notifiers.map(({ channel }) => channel);
  return {
    add: (notice) => {
      try {
        return addNotice(outbox, { notice, channels, secrets, clock }).length > 0;
      } catch {
        return false; // a full disk: the run goes on without it
      }
    },
  };
}
