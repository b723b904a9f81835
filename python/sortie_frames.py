"""Worker frames, and the two sockets that they go over. The agent's side is `src/wire/worker-frame.ts`.

A frame: u32 length of all that follows, u8 type, u16 length of the session id, session id, payload; big-endian.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
from typing import NamedTuple, Union

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

Payload = Union[bytes, bytearray, memoryview]


class Frame(NamedTuple):
    type: str
    sid: bytes
    payload: bytes


def make_header(frame_type: str, sid: bytes, payload_bytes: int) -> bytes:
    """All of a frame before its payload. ValueError where the frame would be too long."""
    length = LEAST_BYTES + len(sid) + payload_bytes
    if length > MOST_BYTES:
        raise ValueError(f"an answer of {payload_bytes:,} bytes cannot be sent: at most {MOST_BYTES:,} fit")
    return HEADER.pack(length, TYPES[frame_type], len(sid)) + sid


def read_header(header: bytes) -> tuple[str, int, int]:
    """Type, bytes of the session id, bytes of the payload. ValueError: too_short, too_long or unknown_type."""
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
    """Frames in and out. The sockets lie where the handler does not meet them, and no child of it gets them."""

    def __init__(self, calls_fd: int, answers_fd: int) -> None:
        self._calls = take_socket(calls_fd)
        self._answers = take_socket(answers_fd)
        self._answers.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self._pid = os.getpid()
        os.register_at_fork(after_in_child=self.close)

    def read(self) -> Frame | None:
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

    def write(self, frame_type: str, sid: bytes, payload: Payload = b"") -> None:
        """Sends a frame without copying its payload. In a forked child that the handler let return it is the end."""
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
        """So many bytes, mostly by one call of the system; fewer at the end of the stream."""
        data = self._calls.recv(size, socket.MSG_WAITALL) if size else b""
        while 0 < len(data) < size:  # a signal came in between
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
