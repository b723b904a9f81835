"""msgpack in the standard library alone: enough for the observations and actions of the challenge.

With the package `msgpack` installed, `import msgpack as tiny_msgpack` does the same, faster.
"""

from __future__ import annotations

import struct
from typing import Any, Callable, Union

Value = Union[None, bool, int, float, str, bytes, "list[Value]", "dict[Any, Value]"]


def packb(value: Value) -> bytes:
    """The bytes of a value. Arrays of numpy are refused: call `.tolist()`, since the other side knows only plain lists."""
    parts: list[bytes] = []
    _pack(value, parts.append)
    return b"".join(parts)


def unpackb(data: bytes) -> Any:
    """The value of some bytes. @raises ValueError: they are not msgpack, or not one whole value."""
    try:
        value, end = _unpack(data, 0)
    except (IndexError, struct.error, UnicodeDecodeError, TypeError, RecursionError) as fault:
        raise ValueError(f"this is not msgpack: {fault}") from fault
    if end != len(data):
        raise ValueError(f"this is not msgpack: {len(data) - end} bytes are left over")
    return value


def _pack(value: Value, put: Callable[[bytes], None]) -> None:
    if value is None:
        put(b"\xc0")
    elif value is True or value is False:
        put(b"\xc3" if value else b"\xc2")
    elif isinstance(value, float):
        put(struct.pack(">Bd", 0xCB, value))
    elif isinstance(value, int):
        _pack_int(value, put)
    elif isinstance(value, str):
        text = value.encode()
        put(_head(len(text), (0xA0, 32), (0xD9, 0xDA, 0xDB)))
        put(text)
    elif isinstance(value, (bytes, bytearray, memoryview)):
        put(_head(len(value), None, (0xC4, 0xC5, 0xC6)))
        put(bytes(value))
    elif isinstance(value, (list, tuple)):
        put(_head(len(value), (0x90, 16), (None, 0xDC, 0xDD)))
        for item in value:
            _pack(item, put)
    elif isinstance(value, dict):
        put(_head(len(value), (0x80, 16), (None, 0xDE, 0xDF)))
        for key, item in value.items():
            _pack(key, put)
            _pack(item, put)
    else:
        advice = ": call .tolist()" if hasattr(value, "tolist") else ""
        raise TypeError(f"{type(value).__name__} cannot be packed{advice}")


def _pack_int(value: int, put: Callable[[bytes], None]) -> None:
    if -32 <= value < 128:
        put(struct.pack(">b" if value < 0 else ">B", value))
        return
    first, kinds = (0xCC, "BHIQ") if value >= 0 else (0xD0, "bhiq")
    for step, kind in enumerate(kinds):
        try:
            put(struct.pack(f">B{kind}", first + step, value))
            return
        except struct.error:
            continue
    raise OverflowError(f"{value} has more than 64 bits")


def _head(length: int, short: "tuple[int, int] | None", codes: "tuple[int | None, int, int]") -> bytes:
    """What stands before `length` items: one byte for the shortest, else a code and the length in 1, 2 or 4 bytes."""
    if short is not None and length < short[1]:
        return bytes([short[0] | length])
    for code, kind, limit in zip(codes, "BHI", (1 << 8, 1 << 16, 1 << 32)):
        if code is not None and length < limit:
            return struct.pack(f">B{kind}", code, length)
    raise OverflowError(f"{length} items are too many")


# A code, and how many bytes its number has and what it is.
_NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q"}
_NUMBERS.update({0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"})
_LENGTHS = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I", 0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_LENGTHS.update({0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"})
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def _unpack(data: bytes, at: int) -> "tuple[Any, int]":
    code, at = data[at], at + 1
    if code < 0x80:
        return code, at
    if code < 0x90:
        return _unpack_map(data, at, code & 15)
    if code < 0xA0:
        return _unpack_list(data, at, code & 15)
    if code < 0xC0:
        return _take(data, at, code & 31).decode(), at + (code & 31)
    if code >= 0xE0:
        return code - 256, at
    if code in _CONSTANTS:
        return _CONSTANTS[code], at
    if code in _NUMBERS:
        kind = _NUMBERS[code]
        return struct.unpack_from(kind, data, at)[0], at + struct.calcsize(kind)
    if code not in _LENGTHS:
        raise ValueError(f"this is not msgpack that the challenge sends: code {code:#x}")
    kind = _LENGTHS[code]
    (length,), at = struct.unpack_from(kind, data, at), at + struct.calcsize(kind)
    if code <= 0xC6:
        return _take(data, at, length), at + length
    if code <= 0xDB:
        return _take(data, at, length).decode(), at + length
    return (_unpack_list if code <= 0xDD else _unpack_map)(data, at, length)


def _take(data: bytes, at: int, length: int) -> bytes:
    if at + length > len(data):
        raise IndexError("it ends too early")
    return bytes(data[at : at + length])


def _unpack_list(data: bytes, at: int, length: int) -> "tuple[list[Any], int]":
    items = []
    for _ in range(length):
        item, at = _unpack(data, at)
        items.append(item)
    return items, at


def _unpack_map(data: bytes, at: int, length: int) -> "tuple[dict[Any, Any], int]":
    items = {}
    for _ in range(length):
        key, at = _unpack(data, at)
        items[key], at = _unpack(data, at)
    return items, at
