import { listMachines } from "../../../supervise/rent/list-machines.ts";
import { defineCommand } from "../../define-command.ts";
import { formatMachines } from "../../views/format-machines.ts";
import { findTableWidth } from "../../views/format-table.ts";
import { withDesk } from "../../with-desk.ts";

export const command = defineCommand<Record<string, never>>({
  describe: (c) => c,
  run: ({ io }) =>
    withDesk(io, async (desk) => {
      const list = await listMachines(desk, io.cwd);
      if (io.json) io.printDocument({ ...list });
      else for (const line of formatMachines(list, findTableWidth(io))) io.say(line);
      return 0;
    }),
});
