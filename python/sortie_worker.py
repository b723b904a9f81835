"""Runs one handler for the Sortie agent, in a process of its own.

Calls come as worker frames on descriptor 3, answers go on descriptor 4, in order, one answer a call:

    u32 length of all that follows, u8 type, u16 length of the session id, session id, payload (big-endian)

Handler calls run on the main thread, one at a time. What the handler prints goes to the log, never to the frames. Only
Python's own library is used, Python 3.9 or newer.
"""

from __future__ import annotations

import os
import sys


def narrow_search_path() -> list[str]:
    """Leaves only Python's own library to search: a `json.py` of the user's is not taken for ours. Gives the path before."""
    before = sys.path[:]
    library = os.path.dirname(os.__file__)
    sys.path[:] = [place for place in before if place == library or place.endswith((".zip", "lib-dynload"))]
    return before


_search_path = narrow_search_path()

import faulthandler
import fcntl
import importlib
import importlib.util
import inspect
import json
import signal
import socket
import struct
import traceback
from types import ModuleType, TracebackType
from typing import Any, Callable, NamedTuple, Optional

sys.path[:] = _search_path

TYPES = {
    "load": 1,
    "open": 2,
    "close": 3,
    "handle": 4,
    "stop": 5,
    "imported": 16,
    "loaded": 17,
    "done": 18,
    "reply": 19,
    "fault": 20,
    "log": 21,
}
NAMES = {number: name for name, number in TYPES.items()}
HEADER = struct.Struct(">IBH")
LEAST_BYTES = 3  # what the length counts where session id and payload are empty
MOST_BYTES = 65 * 1024 * 1024

SEND_BUFFER_BYTES = 4 * 1024 * 1024  # the system may give less
LEAST_PRIVATE_FD = 100
MOST_TEXT = 4000
MOST_FRAMES_SHOWN = 20


class Frame(NamedTuple):
    type: str
    sid: bytes
    payload: bytes


class HandlerFault(Exception):
    """A handler that cannot be used, as the fields of the fault frame."""

    def __init__(self, kind: str, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.fields = {"kind": kind, "message": message, "trace": "", **fields}


# --- frames ---


def make_header(frame_type: str, sid: bytes, payload_bytes: int) -> bytes:
    """All of a frame before its payload. ValueError where the frame would be too long."""
    length = LEAST_BYTES + len(sid) + payload_bytes
    if length > MOST_BYTES:
        raise ValueError(f"an answer of {payload_bytes:,} bytes is too long: at most {MOST_BYTES:,} fit")
    return HEADER.pack(length, TYPES[frame_type], len(sid)) + sid


def read_header(header: bytes) -> tuple[str, int, int]:
    """Type, bytes of the session id and bytes of the payload. ValueError (too_short, too_long, unknown_type)."""
    length, number, sid_bytes = HEADER.unpack(header)
    if length < LEAST_BYTES:
        raise ValueError("too_short")
    if length > MOST_BYTES:
        raise ValueError("too_long")
    if number not in NAMES:
        raise ValueError("unknown_type")
    payload_bytes = length - LEAST_BYTES - sid_bytes
    if payload_bytes < 0:
        raise ValueError("too_short")
    return NAMES[number], sid_bytes, payload_bytes


class Channel:
    """Both directions of frames. They lie on descriptors that the handler does not meet, and no child of it inherits."""

    def __init__(self, calls_fd: int, answers_fd: int) -> None:
        self._calls = take_socket(calls_fd)
        self._answers = take_socket(answers_fd)
        self._answers.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self._pid = os.getpid()
        os.register_at_fork(after_in_child=self.close)

    def read(self) -> Optional[Frame]:
        """The next frame; None when the agent is gone."""
        header = self._receive(HEADER.size)
        if len(header) < HEADER.size:
            return None
        frame_type, sid_bytes, payload_bytes = read_header(header)
        sid = self._receive(sid_bytes)
        payload = self._receive(payload_bytes)
        if len(sid) < sid_bytes or len(payload) < payload_bytes:
            return None
        return Frame(frame_type, sid, payload)

    def write(self, frame_type: str, sid: bytes, payload: Any = b"") -> None:
        """Sends a frame; the payload is not copied. In a child that the handler forked and let return: its end."""
        if os.getpid() != self._pid:
            os._exit(0)
        parts = [memoryview(make_header(frame_type, sid, len(payload))), memoryview(payload)]
        while parts:
            sent = self._answers.sendmsg(parts)
            while parts and sent >= len(parts[0]):
                sent -= len(parts.pop(0))
            if parts:
                parts[0] = parts[0][sent:]

    def close(self) -> None:
        self._calls.close()
        self._answers.close()

    def _receive(self, size: int) -> bytes:
        """So many bytes, in one piece and mostly in one call of the system; fewer at the end of the stream."""
        data = self._calls.recv(size, socket.MSG_WAITALL) if size else b""
        while data and len(data) < size:
            more = self._calls.recv(size - len(data), socket.MSG_WAITALL)
            if not more:
                break
            data += more
        return data


def take_socket(fd: int) -> socket.socket:
    private = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, LEAST_PRIVATE_FD)
    os.close(fd)
    os.set_blocking(private, True)
    return socket.socket(fileno=private)


# --- finding the handler ---


def import_module(folder: str, name: str, file: str) -> ModuleType:
    """Imports `file` under `name`, or the module `name`; `folder` comes first on the search path."""
    sys.path.insert(0, folder)
    forget_namesake(folder, name, file)
    try:
        return import_file(name, file) if file else importlib.import_module(name)
    except ModuleNotFoundError as fault:
        if not file and fault.name and (name + ".").startswith(fault.name + "."):
            raise HandlerFault("not_found", f"No module named '{fault.name}'", missing=fault.name) from None
        raise make_import_fault(fault, missing=fault.name) from fault
    except SyntaxError as fault:
        fields = {"file": fault.filename or "", "line": fault.lineno or 0, "text": (fault.text or "").strip()}
        raise HandlerFault("syntax", f"{type(fault).__name__}: {fault.msg}", **fields) from None
    except SystemExit as fault:
        raise HandlerFault("import", f"its own code called exit({fault.code!r}) at import") from fault
    except BaseException as fault:
        raise make_import_fault(fault) from fault


def forget_namesake(folder: str, name: str, file: str) -> None:
    """Lets a handler be called as a module of Python's library that is imported already, `json` say."""
    top = name.partition(".")[0]
    place = os.path.join(folder, top)
    if top in sys.modules and (file or os.path.isdir(place) or os.path.exists(place + ".py")):
        for known in [known for known in sys.modules if known == top or known.startswith(top + ".")]:
            del sys.modules[known]


def import_file(name: str, file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def make_import_fault(fault: BaseException, **fields: Any) -> HandlerFault:
    return HandlerFault("import", describe(fault), **{"trace": format_trace(fault), **fields})


def find_function(module: ModuleType, path: str) -> tuple[Any, Callable[..., Any]]:
    """The object that holds the function, which may hold `load`, `open` and `close` too, and the function."""
    owner: Any = module
    found: Any = module
    for word in path.split("."):
        owner = found
        try:
            found = getattr(owner, word)
        except AttributeError:
            names = [name for name in dir(owner) if not name.startswith("_") and callable(getattr(owner, name, None))]
            raise HandlerFault("no_function", f"{word} is missing", name=word, names=names) from None
    check_callable(found, 2, path)
    return owner, found


def check_callable(found: Any, arguments: int, path: str) -> None:
    if inspect.isclass(found):
        raise HandlerFault("unfit", f"it is a class; make an object of it and name the method, as in `policy.handle`")
    if not callable(found):
        raise HandlerFault("unfit", f"it is no function but {type(found).__name__}")
    if not takes(found, arguments):
        raise HandlerFault("unfit", f"{path}{inspect.signature(found)} cannot be called as {path}(session_id, frame)")


def takes(function: Callable[..., Any], arguments: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * arguments)
    except TypeError:
        return False
    except ValueError:
        pass  # some functions written in C do not tell what they take
    return True


def find_hook(owner: Any, handle: Callable[..., Any], name: str, arguments: int) -> Optional[Callable[..., Any]]:
    """`load`, `open` or `close` beside the function, unless it is only imported there, as `from json import load`."""
    hook = getattr(owner, name, None)
    if not callable(hook):
        return None
    if isinstance(owner, ModuleType):
        home = getattr(hook, "__module__", None)
        if home not in (owner.__name__, getattr(handle, "__module__", None)):
            return None
    return hook if takes(hook, arguments) else None


# --- calling it ---


class Handler:
    """The user's functions; those that are async run on one event loop, which is kept from call to call."""

    def __init__(self, owner: Any, handle: Callable[..., Any]) -> None:
        self._handle = handle
        self._load = find_hook(owner, handle, "load", 0)
        self._open = find_hook(owner, handle, "open", 1)
        self._close = find_hook(owner, handle, "close", 1)
        self._loop: Any = None

    def describe(self) -> dict[str, Any]:
        offers = {"load": self._load, "open": self._open, "close": self._close}
        return {name: hook is not None for name, hook in offers.items()}

    def load(self) -> None:
        if self._load:
            self._finish(self._load())
        else:
            self._finish(self._handle("", b""))

    def open(self, sid: bytes) -> None:
        if self._open:
            self._finish(self._open(make_session_id(sid)))

    def close(self, sid: bytes) -> None:
        if self._close:
            self._finish(self._close(make_session_id(sid)))

    def handle(self, sid: bytes, payload: bytes) -> Any:
        return take_bytes(self._finish(self._handle(make_session_id(sid), payload)))

    def _finish(self, result: Any) -> Any:
        if type(result) is bytes or not inspect.isawaitable(result):
            return result
        if self._loop is None:
            self._loop = make_event_loop()
        return self._loop.run_until_complete(wait_for(result))


def make_session_id(sid: bytes) -> str:
    return sid.decode("utf-8", "surrogateescape")


def take_bytes(result: Any) -> Any:
    """What goes out as it is: bytes, or a view of them. TypeError for all else."""
    if isinstance(result, bytes):
        return result
    if isinstance(result, (bytearray, memoryview)):
        view = memoryview(result)
        return view.cast("B") if view.c_contiguous else view.tobytes()
    advice = "; pack it, as with msgpack.packb" if isinstance(result, (dict, list, tuple)) else ""
    raise TypeError(f"it returned {type(result).__name__}, not bytes{advice}")


async def wait_for(awaitable: Any) -> Any:
    return await awaitable


def make_event_loop() -> Any:
    before = narrow_search_path()
    try:
        import asyncio
    finally:
        sys.path[:] = before
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop


# --- telling what went wrong ---


def describe(fault: BaseException) -> str:
    try:
        text = str(fault)
    except Exception:
        text = "(its message cannot be shown)"
    name = type(fault).__name__
    return (f"{name}: {text}" if text else name)[:MOST_TEXT]


def format_trace(fault: BaseException) -> str:
    """The trace from the first line of the user's code on."""
    lines = traceback.format_exception(type(fault), fault, skip_own_frames(fault.__traceback__), limit=-MOST_FRAMES_SHOWN)
    return "".join(lines)[-MOST_TEXT:]


def skip_own_frames(trace: Optional[TracebackType]) -> Optional[TracebackType]:
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file != OWN_FILE and not file.startswith("<frozen importlib"):
            break
        trace = trace.tb_next
    return trace


OWN_FILE = skip_own_frames.__code__.co_filename


def print_to_log(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        pass  # the handler closed or replaced stderr


# --- the process ---


def serve(channel: Channel, handler: Handler) -> None:
    """Answers calls until `stop`. The end of the stream means that the agent was killed: nothing may stay behind."""
    while True:
        frame = channel.read()
        if frame is None:
            end_group()
        elif frame.type == "stop":
            return
        else:
            answer(channel, handler, frame)


def answer(channel: Channel, handler: Handler, frame: Frame) -> None:
    try:
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
    except (SystemExit, KeyboardInterrupt) as fault:
        report(channel, frame.sid, fault, ends=True)
        raise
    except BaseException as fault:
        report(channel, frame.sid, fault)


def report(channel: Channel, sid: bytes, fault: BaseException, **fields: Any) -> None:
    trace = format_trace(fault)
    print_to_log(trace)
    send_fault(channel, sid, {"kind": type(fault).__name__, "message": describe(fault), "trace": trace, **fields})


def send_fault(channel: Channel, sid: bytes, fields: dict[str, Any]) -> None:
    channel.write("fault", sid, json.dumps(fields, default=str).encode())


def end_group() -> None:
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def main(folder: str, name: str, file: str, function: str) -> None:
    channel = Channel(3, 4)
    faulthandler.enable(2)
    sys.argv[:] = [file or name]
    try:
        module = import_module(folder, name, file)
        owner, handle = find_function(module, function)
        handler = Handler(owner, handle)
    except HandlerFault as fault:
        print_to_log(fault.fields["trace"])
        send_fault(channel, b"", fault.fields)
        return
    about = {**handler.describe(), "version": sys.version.split()[0], "program": sys.executable}
    channel.write("imported", b"", json.dumps(about).encode())
    serve(channel, handler)


if __name__ == "__main__":
    main(*sys.argv[1:5])
