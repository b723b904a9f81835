"""The same agent on the Python library `websockets`, to compare with. Its handler runs in the loop that receives.

Usage: websockets_agent.py TUNNEL_URL JOB_UUID, with the job's token in JOB_TOKEN. It ends with 0 when it is drained.
"""

import asyncio
import json
import os
import sys
import uuid

from websockets.asyncio.client import ClientConnection, connect

from echo_handler import handle

MAX_FRAME_BYTES = 64 * 1024 * 1024


async def serve(tunnel_url: str, job_uuid: str, token: str) -> None:
    url = f"{tunnel_url}?job={job_uuid}&agent={uuid.uuid4()}"
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(
        url,
        additional_headers=headers,
        compression=None,
        max_size=MAX_FRAME_BYTES,
        ping_interval=20,
        ping_timeout=10,
        proxy=None,
    ) as socket:
        async for message in socket:
            if isinstance(message, bytes):
                await socket.send(answer(message))
            elif await is_drain(socket, json.loads(message)):
                return


def answer(frame: bytes) -> bytes:
    payload_at = 4 + int.from_bytes(frame[:4], "big")
    payload = frame[payload_at:]
    reply = handle(frame[4:payload_at].decode(), payload) if payload else payload
    return frame[:payload_at] + reply


async def is_drain(socket: ClientConnection, control: dict[str, str]) -> bool:
    if control["type"] == "warmup":
        await socket.send(json.dumps({"type": "ready"}))
    return control["type"] == "drain"


asyncio.run(serve(sys.argv[1], sys.argv[2], os.environ["JOB_TOKEN"]))
