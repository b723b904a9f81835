"""Where the handler's `print` goes: a log that cannot be written to costs lines, never a call."""

from __future__ import annotations

import io
import os
import sys
import time
from typing import Any

FULL_PIPE_PAUSE_SECONDS = 0.005


class LosingFile(io.FileIO):
    """A descriptor whose writes are whole, or lost where the log's reader is gone or its disk is full."""

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        rest = view
        while len(rest) > 0:
            try:
                rest = rest[os.write(self.fileno(), rest) :]
            except BlockingIOError:
                time.sleep(FULL_PIPE_PAUSE_SECONDS)  # somebody made the descriptor not wait for its reader
            except OSError:
                break
        return len(view)


def replace_streams() -> None:
    """Puts such files under `sys.stdout` and `sys.stderr`, which keep their descriptors and their encoding."""
    sys.stdout = sys.__stdout__ = make_stream(1, sys.stdout)
    sys.stderr = sys.__stderr__ = make_stream(2, sys.stderr)


def make_stream(fd: int, before: Any) -> Any:
    encoding = getattr(before, "encoding", None) or "utf-8"
    file: Any = LosingFile(fd, "w", closefd=False)
    return io.TextIOWrapper(file, encoding, "backslashreplace", line_buffering=True, write_through=True)
