"""The user's functions behind one face: session ids as text, answers as bytes, async or not."""

from __future__ import annotations

import inspect
import sys
from types import ModuleType
from typing import Any

from sortie_find import HOOKS, Function, find_hook
from sortie_frames import Payload
from sortie_library import search_library_alone


class Handler:
    """Async functions run on one event loop, which is kept from call to call and stands still in between."""

    def __init__(self, module: ModuleType, owner: Any, handle: Function) -> None:
        self._handle = handle
        self._hooks: dict[str, Function] = {}
        self.notes: list[str] = []
        for name in HOOKS:
            hook, note = find_hook(module, owner, name)
            if hook:
                self._hooks[name] = hook
            if note:
                self.notes.append(note)
        self._loop: Any = None

    def describe(self) -> dict[str, bool]:
        return {name: name in self._hooks for name in HOOKS}

    def load(self) -> None:
        """Without a `load` of its own, a handler is warmed up by the empty frame, as the first gateways did."""
        hook = self._hooks.get("load")
        self._finish(hook() if hook else self._handle("", b""))

    def open(self, sid: bytes) -> None:
        hook = self._hooks.get("open")
        if hook:
            self._finish(hook(make_session_id(sid)))

    def close(self, sid: bytes) -> None:
        hook = self._hooks.get("close")
        if hook:
            self._finish(hook(make_session_id(sid)))

    def handle(self, sid: bytes, payload: bytes) -> Payload:
        """TypeError where the answer is no bytes; all that the user's code raises."""
        return take_bytes(self._finish(self._handle(make_session_id(sid), payload)))

    def _finish(self, result: Any) -> Any:
        if type(result) is bytes or not inspect.isawaitable(result):
            return result
        if self._loop is None:
            self._loop = make_event_loop()
        return self._loop.run_until_complete(wait_for(result))


def make_session_id(sid: bytes) -> str:
    return sid.decode("utf-8", "surrogateescape")


def take_bytes(result: Any) -> Payload:
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
    """Only now: to import it takes longer than all else that the worker does at its start."""
    search_path = search_library_alone()
    try:
        import asyncio
    finally:
        sys.path[:] = search_path
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop
