#!/bin/sh
# One inference agent on one GPU, as the challenge's own text calls it:
#
#   ./scripts/tunnel.sh <gpu_index> <job_uuid> <gateway_url>
#
# The GPU is an index or UUID of this machine, or `cpu`. An empty gateway means SIMUBOTIX_GATEWAY_URL, else the state file's,
# else the fixed one. The handler is $SORTIE_HANDLER, else the sample, which holds the robot still. What follows the three
# goes on to the agent: `scripts/tunnel.sh --help`. Exit codes: 0 drained, 1 failed, 130 interrupted, 143 terminated.

self=$(readlink -f -- "$0" 2>/dev/null) || self=$0
checkout=$(cd "$(dirname -- "$self")/.." && pwd -P) || exit 1
agent=$checkout/dist/sortie-agent.cjs

fail() {
  printf 'error: %s\n%s\n' "$1" "$2" >&2
  exit 1
}

quoted=$(printf '%s\n' "$checkout" | sed "s/'/'\\\\''/g")
[ -f "$agent" ] || fail "The agent is not built yet." "Build it with: cd '$quoted' && npm ci && npm run build"
command -v node >/dev/null || fail "Node.js is not on PATH." "Install Node.js 20 or newer."
version=$(node --version 2>/dev/null)
case $version in
  v2[0-9].* | v[3-9][0-9].*) ;;
  v*) fail "Node.js $version is on PATH, which is too old." "Install Node.js 20 or newer." ;;
  *) fail "Node.js on PATH does not start: $(node --version 2>&1 | head -n 1)" "See to what it says, or install Node.js 20 or newer." ;;
esac
[ "${1:-}" != --help ] || exec node -- "$agent" --help
[ $# -ge 2 ] || fail "A GPU, a job and a gateway belong here." "Write: scripts/tunnel.sh 0 \"\$JOB_UUID\" \"\$TUNNEL_ENDPOINT\""

gpu=$1 job=$2 gateway=${3:-}
shift 2
[ $# -eq 0 ] || shift
handler=${SORTIE_HANDLER:-}
if [ -z "$handler" ]; then
  handler=$checkout/contestant_sdk/python/example_inference:handle
  echo "SORTIE_HANDLER is not set: the sample answers, which holds the robot still ($handler)" >&2
fi
# Under nohup a hang-up is ignored, which Node.js forgets: the agent is told.
{ if sh -c 'kill -HUP $$'; then export SORTIE_HANGUP=ignore; fi; } 2>/dev/null
exec node -- "$agent" --gpu "$gpu" --job-uuid "$job" --gateway-url "$gateway" --handler "$handler" "$@"
