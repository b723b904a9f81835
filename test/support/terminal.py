"""Runs a command on a real terminal and plays a person.

Reads from standard input {"argv", "rows", "columns", "steps": [[wait_for, send], ...]}, each text being looked for in
what the terminal shows from the last match on. Prints {"shown", "exit", "missed"}: the whole output, the exit code
(128 + N after signal N), and the first text that did not come in time, or null.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

PATIENCE_SECONDS = 20.0


def main() -> None:
    call = json.load(sys.stdin)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(call["argv"][0], call["argv"])
    size = struct.pack("HHHH", call["rows"], call["columns"], 0, 0)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
    shown = bytearray()
    missed = play(terminal, shown, call["steps"])
    drain(terminal, shown)
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    report = {"shown": shown.decode(errors="replace"), "exit": code if code >= 0 else 128 - code, "missed": missed}
    json.dump(report, sys.stdout)


def play(terminal: int, shown: bytearray, steps: list[list[str]]) -> "str | None":
    place = 0
    for wanted, answer in steps:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (found := shown.find(wanted.encode(), place)) == -1:
            if time.monotonic() > deadline or not read_more(terminal, shown):
                return wanted
        place = found + len(wanted.encode())
        os.write(terminal, answer.encode())
    return None


def read_more(terminal: int, shown: bytearray) -> bool:
    """False at the end of the output."""
    ready, _, _ = select.select([terminal], [], [], 0.2)
    if not ready:
        return True
    try:
        data = os.read(terminal, 65536)
    except OSError:
        return False
    shown.extend(data)
    return bool(data)


def drain(terminal: int, shown: bytearray) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline and read_more(terminal, shown):
        pass
    os.close(terminal)


main()
