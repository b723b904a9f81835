"""The handler that the agents in Python run: the reply has as many of the frame's first bytes as it asks for."""


def handle(session_id: str, frame: bytes) -> bytes:
    return frame[: int.from_bytes(frame[4:8], "big")]
