import { quoteCommand } from "../../base/quote.ts";
import type { EnvSpec } from "../spec/env-spec.ts";
import type { HostBuildTerms } from "./build-steps.ts";
import { makeEnterLines } from "./enter-lines.ts";
import { renderHostBuild } from "./host-build.ts";
import { makeVariableLines } from "./variables.ts";

/**
 * A text in a shell of its own that builds the environment at `$sortie_prefix` once, where nobody watches: what an
 * earlier try has left is removed, and `$sortie_prefix.sh`, which enters it, is written last: it is the mark of a build
 * that is whole. Above it: `sortie_prefix`, a folder of ours, and `sortie_project`.
 */
export function renderBuildOnce(spec: EnvSpec, terms: HostBuildTerms): string {
  const enter = [
    ...makeEnterLines(terms),
    ...makeVariableLines(spec, { project: '"$sortie_project"' }),
    "unset sortie_prefix sortie_project sortie_found sortie_entry",
  ];
  return `(
mkdir -p "\${sortie_prefix%/*}" || exit
if command -v flock >/dev/null 2>&1; then
  exec 9>"$sortie_prefix.lock" && flock 9 || exit
fi
[ ! -f "$sortie_prefix.sh" ] || exit 0
rm -rf "$sortie_prefix"
sortie_step() { echo "sortie: $1"; }
${renderHostBuild(spec, terms).trimEnd()}
sortie_quote() { printf "%s='%s'\\n" "$1" "$(printf '%s' "$2" | sed "s/'/'\\\\\\\\''/g")"; }
{
  sortie_quote sortie_prefix "$sortie_prefix"
  sortie_quote sortie_project "$sortie_project"
  sortie_quote sortie_found "$sortie_found"
  printf '%s\\n' ${quoteCommand(enter)}
} >"$sortie_prefix.sh.part" && mv "$sortie_prefix.sh.part" "$sortie_prefix.sh"
)`;
}
