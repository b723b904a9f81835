"""Prints what W&B kept of an offline run: `read_offline_run.py FILE.wandb` gives one JSON object.

The records are W&B's own protobuf messages. They lie in LevelDB's log format: blocks of 32 KiB, in them chunks of
checksum (4), length (2) and type (1: whole, 2: first, 3: middle, 4: last), after a file header of 7 bytes.
"""
import json
import struct
import sys
from typing import Any, Iterator

from wandb.proto import wandb_internal_pb2

BLOCK_BYTES = 32768
HEADER_BYTES = 7


def read_run(path: str) -> dict[str, Any]:
    run: dict[str, Any] = {"id": None, "project": None, "name": None, "config": {}, "history": [], "exit": None}
    for data in read_records(path):
        record = wandb_internal_pb2.Record()
        record.ParseFromString(data)
        kind = record.WhichOneof("record_type")
        if kind == "run":
            run.update(id=record.run.run_id, project=record.run.project, name=record.run.display_name)
            run["config"].update(read_items(record.run.config.update))
        elif kind == "config":
            run["config"].update(read_items(record.config.update))
        elif kind == "history":
            run["history"].append(read_items(record.history.item))
        elif kind == "exit":
            run["exit"] = record.exit.exit_code
    run["config"].pop("_wandb", None)
    return run


def read_records(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b":W&B":
        raise ValueError("%s is no offline run" % path)
    at, parts = HEADER_BYTES, []
    while at + HEADER_BYTES <= len(data):
        left = BLOCK_BYTES - at % BLOCK_BYTES
        if left < HEADER_BYTES:
            at += left
            continue
        length, kind = struct.unpack("<HB", data[at + 4 : at + HEADER_BYTES])
        parts.append(data[at + HEADER_BYTES : at + HEADER_BYTES + length])
        at += HEADER_BYTES + length
        if kind in (1, 4):
            yield b"".join(parts)
            parts = []


def read_items(items: Any) -> dict[str, Any]:
    return {item.key or "/".join(item.nested_key): json.loads(item.value_json, parse_constant=str) for item in items}


if __name__ == "__main__":
    print(json.dumps(read_run(sys.argv[1])))
