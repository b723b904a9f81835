import { searchForTarget } from "../../../supervise/rent/search-offers.ts";
import { defineCommand } from "../../define-command.ts";
import {
  describeCapOptions,
  describeNeedOptions,
  type RentOptions,
  readRentFlags,
} from "../../rent-flags.ts";
import { resolvePath } from "../../resolve-path.ts";
import { formatOffers } from "../../views/format-offers.ts";
import { findTableWidth } from "../../views/format-table.ts";
import { withDesk } from "../../with-desk.ts";

export const command = defineCommand<RentOptions & { target?: string; for?: string }>({
  describe: (c) =>
    describeCapOptions(
      describeNeedOptions(
        c
          .option("--target <name>", "take the needs of this section")
          .option("--gpu-count <n>", "rent so many GPUs")
          .option("--for <script>", "say what this script seems to need; it is not looked for"),
      ),
    ),
  run: ({ io, options }) =>
    withDesk(io, async (desk) => {
      const place = { cwd: io.cwd, wanted: options.target ?? null };
      const script = options.for === undefined ? null : resolvePath(io, options.for);
      const search = await searchForTarget(desk, place, { flags: readRentFlags(options), script });
      if (io.json) io.printDocument({ ...search });
      else for (const line of formatOffers(search, findTableWidth(io))) io.say(line);
      return search.cheapest === null ? 5 : 0;
    }),
});
