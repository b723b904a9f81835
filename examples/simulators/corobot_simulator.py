"""Picks a case from the list, plays it as a simulator of the platform does, says good-bye, and then tells the score."""

import json
import sys
import urllib.request

import msgpack
from websockets.sync.client import connect

api, corobot, key = sys.argv[1:]  # http://127.0.0.1:8700 ws://127.0.0.1:8702 KEY
headers = {"Authorization": f"Api-Key {key}"}


def call(path: str, body: dict[str, object] | None = None) -> dict[str, object]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(api + path, data, headers | {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=30))


case = call("/api/simulator/cases")["items"][0]
# With `?case=` it can go on with this very case after its connection broke.
with connect(f"{corobot}?case={case['id']}", additional_headers=headers, max_size=None) as connection:
    for step in range(5):
        states = {"arm_joint_states": [0.1] * 14, "gripper_states": [-0.4, -0.4]}
        params = {"images": {}, "states": states, "prompt": case["task"], "episode_idx": 0}
        connection.send(msgpack.packb({"method": "infer", "params": params}))
        action = msgpack.unpackb(connection.recv())
# The connection is closed with 1000: the agent is free, and the case waits for its score.
print(call(f"/api/simulator/case/{case['id']}/score", {"score": 1, "steps": 5}))
