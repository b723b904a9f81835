import type { HostTool } from "./build-steps.ts";

/**
 * Shell lines that enter the environment at `$sortie_prefix` in any POSIX shell; for conda, `$sortie_found` is its
 * program. What a person's own folder of packages holds is not part of an environment.
 */
export function makeEnterLines({ tool }: Pick<HostTool, "tool">): string[] {
  const own = ["export PYTHONNOUSERSITE=1", "unset PYTHONHOME PYTHONPATH"];
  if (tool === "conda") {
    return [
      ...own,
      'sortie_entry=$("$sortie_found" shell.posix activate "$sortie_prefix") && eval "$sortie_entry"',
    ];
  }
  return [...own, 'export VIRTUAL_ENV="$sortie_prefix" PATH="$sortie_prefix/bin:$PATH"'];
}
