"""What went wrong in the handler's code, in words."""

from __future__ import annotations

import importlib
import os
import traceback
from types import TracebackType
from typing import Any

MOST_TEXT = 4000
MOST_LINES_SHOWN = 20


class HandlerFault(Exception):
    """A handler that cannot be used. `fields` are those of the fault frame."""

    def __init__(self, kind: str, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.fields: dict[str, Any] = {"kind": kind, "message": message, "trace": "", **fields}


def describe(fault: BaseException) -> str:
    try:
        text = str(fault)
    except Exception:
        text = "(its message cannot be shown)"
    name = type(fault).__name__
    return (f"{name}: {text}" if text else name)[:MOST_TEXT]


def format_trace(fault: BaseException) -> str:
    """The trace as Python shows it, from the first line of the user's code on."""
    trace = skip_own_lines(fault.__traceback__)
    try:
        lines = traceback.format_exception(type(fault), fault, trace, limit=-MOST_LINES_SHOWN)
    except Exception:
        return describe(fault) + "\n"  # a message that cannot be shown, or a source file that cannot be read
    return "".join(lines)[-MOST_TEXT:]


def skip_own_lines(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file != importlib.__file__ and not file.startswith(("<sortie_", "<frozen importlib")):
            break
        trace = trace.tb_next
    return trace


def print_to_log(text: str) -> None:
    """Straight to the descriptor: the handler may have put something else in place of `sys.stderr`."""
    try:
        os.write(2, text.encode("utf-8", "backslashreplace"))
    except OSError:
        pass  # nobody reads the log any more
