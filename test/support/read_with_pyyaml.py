"""Reads YAML files in base64, one a line, and writes what Python makes of each: its canonical JSON, or an error."""

import base64
import json
import sys

import yaml


def read(data: bytes) -> dict[str, str]:
    try:
        value = yaml.safe_load(data)
        return {"canonical": json.dumps(value, sort_keys=True, separators=(",", ":"))}
    except Exception as fault:  # whatever Python refuses, Sortie has to refuse
        return {"error": f"{type(fault).__name__}: {fault}"}


for line in sys.stdin:
    print(json.dumps(read(base64.b64decode(line))))
