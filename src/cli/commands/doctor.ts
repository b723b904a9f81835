import { makePrintable } from "../../base/printable.ts";
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
      io.say(`  ${level.padEnd(8)} ${what.padEnd(12)} ${makePrintable(detail)}`);
      if (advice && level !== "ok") io.say(`  ${"".padEnd(21)} ${advice}`);
    }
    return bad ? 5 : 0;
  },
});
