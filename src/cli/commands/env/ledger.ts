import { makePrintable } from "../../../base/printable.ts";
import { addGotchas, type ShownLedger, showLedger } from "../../../supervise/environment/keep-ledger.ts";
import { defineCommand } from "../../define-command.ts";
import { describeEnvironment, type EnvironmentOptions } from "../../define-environment.ts";
import { chooseTarget } from "../../look-at-target.ts";
import { reportTrust } from "../../report-trust.ts";
import { sayRows } from "../../say-lines.ts";
import { warnNote } from "../../warn-note.ts";
import { withDesk } from "../../with-desk.ts";

export const command = defineCommand<EnvironmentOptions & { gotcha?: string[] }>({
  describe: (c) =>
    describeEnvironment(c).option(
      "--gotcha <text>",
      "add what others should know of it; may be repeated",
      (text: string, earlier: string[] = []) => [...earlier, text],
    ),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const chosen = await chooseTarget(io, desk, options.target ?? null);
      if ("trust" in chosen) return reportTrust(io, chosen);
      const wanted = args[0] ?? null;
      const { gotcha: gotchas = [] } = options;
      if (gotchas.length > 0) {
        const added = await addGotchas(desk, chosen.target, { wanted, gotchas });
        if (!io.json) io.say(makePrintable(`Added to ${added.environment} in ${added.file}.`));
      }
      const ledger = showLedger(chosen.target, wanted);
      for (const warning of ledger.warnings) warnNote(io, `${ledger.file}: ${warning}`);
      if (io.json)
        io.printDocument({
          ledger: { ...ledger, blocks: ledger.blocks.map(({ text: _, ...block }) => block) },
        });
      else sayRows(io, formatLedger(ledger).map(makePrintable));
      return 0;
    }),
});

function formatLedger({ file, blocks }: ShownLedger): string[] {
  if (blocks.length === 0) return [`${file} tells of no such environment yet.`];
  return blocks.flatMap((block) => {
    const rows: [string, string | null][] = [
      ["how", block.how],
      ["tier", block.tier],
      ["weights", block.weights],
      ["validated", block.validated],
      ...block.gotchas.map((text): [string, string] => ["gotcha", text]),
    ];
    const known = rows.filter(([, value]) => value !== null);
    return [
      `${block.name}@${block.hash} (${file} line ${block.line})`,
      ...known.map(([label, value]) => `  ${label.padEnd(10)}${value}`),
    ];
  });
}
