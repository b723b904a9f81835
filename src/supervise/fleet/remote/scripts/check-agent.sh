# shellcheck shell=sh disable=SC2154 # the settings, names that begin with sortie_, stand above this text
# Whether the agents' program lies on this host as it was sent, and whether its Node.js runs. Above this text:
# sortie_node, sortie_agent (its path), sortie_sha256 and sortie_token. One that differs was damaged, and is removed, so
# that it is sent anew.

hash_agent() {
  # shellcheck disable=SC2016 # JavaScript, in which $ is no shell's
  "$sortie_node" -e '
    const [major] = process.versions.node.split(".");
    if (major < 20) throw `${process.execPath} is version ${process.versions.node}`;
    const file = process.argv[1];
    const { existsSync, readFileSync } = require("fs");
    const hash = require("crypto").createHash("sha256");
    process.stdout.write(existsSync(file) ? hash.update(readFileSync(file)).digest("hex") : "missing");
  ' "$sortie_agent" </dev/null
}

echo "begin=$sortie_token"
if sortie_found=$(hash_agent 2>&1); then
  case $sortie_found in
    "$sortie_sha256") echo state=there ;;
    missing) echo state=missing ;;
    *) rm -f "$sortie_agent" && echo state=damaged ;;
  esac
else
  printf 'fault=%s\n' "$(printf '%s\n' "$sortie_found" | sed '/^[[:space:]]*$/d' | tail -n 1)"
fi
echo "end=$sortie_token"
