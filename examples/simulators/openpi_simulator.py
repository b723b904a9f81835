"""Plays one case with the policy client of openpi, and tells its score before it leaves."""

import json
import sys
import urllib.request

import numpy as np
from openpi_client.websocket_client_policy import WebsocketClientPolicy

api, openpi, key = sys.argv[1:]  # http://127.0.0.1:8700 ws://127.0.0.1:8701 KEY

policy = WebsocketClientPolicy(host=openpi, api_key=key)  # returns when there is a case to play
case = policy.get_server_metadata()
rng = np.random.default_rng(case["seed"])
for step in range(5):
    image = rng.integers(0, 255, (224, 224, 3), dtype=np.uint8)
    action = policy.infer({"observation/image": image, "prompt": case["task"]})

request = urllib.request.Request(
    f"{api}/api/simulator/case/{case['case_id']}/score",
    data=json.dumps({"score": 0.5, "steps": 5, "detail": "the drawer is half open"}).encode(),
    headers={"Authorization": f"Api-Key {key}", "Content-Type": "application/json"},
)
print(json.load(urllib.request.urlopen(request, timeout=30)))
