import { redactText } from "../../base/redact.ts";
import type { ShownSpec } from "../../supervise/environment/show-spec.ts";

/** A specification as it was understood. */
export function formatSpec({ name, hash, file, spec }: ShownSpec): string[] {
  const rows: [string, string][] = [
    ["file", file],
    ["base", spec.base ?? "the host's Python"],
    ...spec.systemPkgs.map((text, at): [string, string] => [at === 0 ? "system" : "", text]),
    ...spec.pipPhases.map((phase, at): [string, string] => [`pip ${at + 1}`, phase.join(" ")]),
    ...spec.runCommands.map((text, at): [string, string] => [`run ${at + 1}`, text]),
    ...Object.entries(spec.env).map(([key, value], at): [string, string] => [
      at === 0 ? "env" : "",
      `${key}=${value}`,
    ]),
    ...spec.weightDirs.map(({ path, source, gated, env }, at): [string, string] => [
      at === 0 ? "weights" : "",
      [path, source && `from ${source}`, gated && "(gated)", env && `as ${env}`].filter(Boolean).join(" "),
    ]),
    ...(spec.smoke.importNames.length > 0
      ? [["imports", spec.smoke.importNames.join(", ")] as [string, string]]
      : []),
    ...spec.smoke.cliChecks.map(({ cmd }): [string, string] => ["check", cmd]),
    ...spec.smoke.gpuTests.map(({ cmd, expect }): [string, string] => [
      "GPU test",
      `${cmd} (prints ${expect})`,
    ]),
  ];
  return [`${name}@${hash}`, ...rows.map(([label, value]) => `  ${label.padEnd(10)}${redactText(value)}`)];
}
