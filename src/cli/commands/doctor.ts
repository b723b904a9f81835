import { makePrintable } from "../../base/printable.ts";
import { wrapText } from "../../base/wrap.ts";
import { examine } from "../../supervise/doctor.ts";
import { defineCommand } from "../define-command.ts";

export const command = defineCommand({
  describe: (c) => c,
  run: async ({ io }) => {
    const findings = await examine({ env: io.env, self: io.self });
    const bad = findings.some((finding) => finding.level === "bad");
    if (io.json) {
      io.printDocument({ ok: !bad, findings });
      return bad ? 5 : 0;
    }
    for (const { what, level, detail, advice } of findings) {
      const label = `  ${level.padEnd(8)} ${what.padEnd(12)} `;
      const indent = " ".repeat(label.length);
      const width = Math.max(io.columns, label.length + 30);
      const lines = wrapText(makePrintable(detail), width, indent, label);
      if (advice && level !== "ok") lines.push(...wrapText(advice, width, indent));
      for (const line of lines) io.say(line);
    }
    return bad ? 5 : 0;
  },
});
