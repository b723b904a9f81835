import { makePrintable } from "../../../base/printable.ts";
import { testChannels } from "../../../supervise/news/test-channels.ts";
import { defineCommand } from "../../define-command.ts";
import { listenForEnd } from "../../listen-for-end.ts";
import { withDesk } from "../../with-desk.ts";

const WORDS = { sent: "sent", busy: "not sent", refused: "refused", unsure: "not known" } as const;

export const command = defineCommand({
  describe: (c) =>
    c.addHelpText("after", "\nExit 0: every channel took it. docs/notifications.md says what is set where."),
  run: ({ io }) =>
    withDesk(io, async (desk) => {
      const ending = listenForEnd(io);
      const { channels, faults, warnings } = await testChannels(desk, ending.signal);
      for (const warning of warnings) io.warn(`warning: ${warning}`);
      for (const { message, hint } of faults) io.warn(`warning: ${message} ${hint}`);
      const ok = faults.length === 0 && channels.every(({ state }) => state === "sent");
      if (io.json) io.printDocument({ ok, channels });
      else
        for (const { channel, state, reason } of channels)
          io.say(makePrintable(`${channel}: ${WORDS[state]}${reason === null ? "" : `, ${reason}`}`));
      return ending.exitCode() ?? (ok ? 0 : 5);
    }),
});
