import { makePrintable } from "../../../base/printable.ts";
import { quoteCommand } from "../../../base/quote.ts";
import { initGateway } from "../../../supervise/host/init-gateway.ts";
import { defineCommand } from "../../define-command.ts";
import { resolvePath } from "../../resolve-path.ts";

export const command = defineCommand({
  describe: (c) => c.argument("[folder]", "where to write it (default: here)"),
  run: async ({ io, args: [folder = "."] }) => {
    const file = initGateway(resolvePath(io, folder));
    if (io.json) io.printDocument({ file });
    else {
      io.say(`Written: ${makePrintable(file)}`);
      io.say(`Host it: ${makePrintable(quoteCommand(["sortie", "gateway", "--config", file]))}`);
    }
    return 0;
  },
});
