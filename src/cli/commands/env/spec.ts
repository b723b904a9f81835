import { SortieError } from "../../../base/error.ts";
import { makePrintable } from "../../../base/printable.ts";
import { PROVIDERS, type Provider, showSpec } from "../../../supervise/environment/show-spec.ts";
import { defineCommand } from "../../define-command.ts";
import { sayRows } from "../../say-lines.ts";
import { formatSpec } from "../../views/format-spec.ts";

export const command = defineCommand<{ for?: string }>({
  describe: (c) =>
    c
      .argument("[name]", "the environment's name, or its specification (default: the project's only one)")
      .option("--for <provider>", `what is made of it there: ${PROVIDERS.join(", ")}`),
  run: async ({ io, options, args }) => {
    const shown = showSpec(io.cwd, args[0] ?? null, readProvider(options.for));
    const { name, hash, file, spec, warnings, rendered } = shown;
    for (const warning of warnings) io.warn(makePrintable(`warning: ${warning}`));
    if (io.json) io.printDocument({ name, hash, file, spec, warnings, rendered });
    else if (rendered !== null) io.write(rendered.endsWith("\n") ? rendered : `${rendered}\n`);
    else sayRows(io, formatSpec(shown).map(makePrintable));
    return 0;
  },
});

function readProvider(text: string | undefined): Provider | null {
  if (text === undefined) return null;
  const provider = PROVIDERS.find((name) => name === text.toLowerCase());
  if (provider) return provider;
  const reason = `there are ${PROVIDERS.join(", ")}`;
  throw new SortieError("value_bad", { what: "--for", value: text, reason, advice: "Give one of them." });
}
