"""Runs one handler for the Sortie agent, in a process of its own.

Calls come on descriptor 3, answers go on descriptor 4: one answer a call, in order, on the main thread. What the
handler prints goes to the log, never among the frames. Python 3.9 or newer, and nothing but its own library.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
from typing import Any

from sortie_faults import HandlerFault, describe, format_trace, print_to_log
from sortie_find import find_function, import_module, make_import_fault
from sortie_frames import Channel, Frame
from sortie_handler import Handler
from sortie_streams import replace_streams


def main(folder: str, name: str, file: str, function: str) -> None:
    """Serves `function` of the module `name`, or of `file`, until the agent says `stop` or is gone."""
    channel = Channel(3, 4)
    faulthandler.enable(2)
    replace_streams()
    sys.argv[:] = [file or name]
    try:
        handler = make_handler(folder, name, file, function)
    except HandlerFault as fault:
        print_to_log(fault.fields["trace"])
        send_fault(channel, b"", fault.fields)
        return
    for note in handler.notes:
        channel.write("log", b"", note.encode("utf-8", "backslashreplace"))
    about = {**handler.describe(), "version": sys.version.split()[0], "program": sys.executable}
    channel.write("imported", b"", json.dumps(about).encode())
    serve(channel, handler)


def make_handler(folder: str, name: str, file: str, function: str) -> Handler:
    module = import_module(folder, name, file)
    try:
        return Handler(module, *find_function(module, function))
    except HandlerFault:
        raise
    except Exception as fault:  # a property or a signature of the user's that fails
        raise make_import_fault(fault) from fault


def serve(channel: Channel, handler: Handler) -> None:
    while True:
        frame = channel.read()
        if frame is None:
            end_group()
        elif frame.type == "stop":
            return
        else:
            answer(channel, handler, frame)


def answer(channel: Channel, handler: Handler, frame: Frame) -> None:
    """A fault is told and life goes on; an exit is told too, so that threads of the user's cannot keep it a secret."""
    try:
        call(channel, handler, frame)
    except SystemExit as fault:
        report(channel, frame.sid, fault, ends=f"its own code called exit({fault.code!r})")
        raise
    except KeyboardInterrupt as fault:
        report(channel, frame.sid, fault, ends="it was interrupted")
        sys.exit(130)
    except BaseException as fault:
        report(channel, frame.sid, fault)


def call(channel: Channel, handler: Handler, frame: Frame) -> None:
    if frame.type == "handle":
        channel.write("reply", frame.sid, handler.handle(frame.sid, frame.payload))
    elif frame.type == "load":
        handler.load()
        channel.write("loaded", frame.sid)
    elif frame.type == "open":
        handler.open(frame.sid)
        channel.write("done", frame.sid)
    elif frame.type == "close":
        handler.close(frame.sid)
        channel.write("done", frame.sid)


def report(channel: Channel, sid: bytes, fault: BaseException, **fields: Any) -> None:
    trace = format_trace(fault)
    print_to_log(trace)
    send_fault(channel, sid, {"kind": type(fault).__name__, "message": describe(fault), "trace": trace, **fields})


def send_fault(channel: Channel, sid: bytes, fields: dict[str, Any]) -> None:
    channel.write("fault", sid, json.dumps(fields, default=str).encode())


def end_group() -> None:
    """The agent was killed: nothing of ours may stay behind."""
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)
