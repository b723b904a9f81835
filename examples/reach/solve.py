"""A handler that solves the board of the simulator `reach`, without a model: it reads where the targets are.

    sortie agent --handler examples/reach/solve.py:handle …

The simulator writes the next target of each arm into `task_progress`, for handlers that do not look at pictures. A model
would find it in the pictures instead, and put the joints that it wants into `walk` or straight into the reply.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

# Reads and writes msgpack with the standard library alone.
sys.path.append(str(Path(__file__).resolve().parents[2] / "contestant_sdk" / "python"))
import tiny_msgpack  # noqa: E402

# How many steps one answer holds; the simulator plays all of them before it asks again.
HORIZON = 30 if os.environ.get("SORTIE_BOARD") == "manip" else 50

# A joint turns by 0.06 rad a step at most, so a path in steps of less than that is followed exactly.
STEP_RAD = 0.055


def handle(session_id: str, frame: bytes) -> bytes:
    """Answers one observation: both arms walk to their next targets."""
    if not frame:
        return b""
    params = tiny_msgpack.unpackb(frame)["params"]
    joints = params["states"]["arm_joint_states"]
    goals = read_goals(params)
    arms = [walk(joints[at : at + 7], goals.get(side)) for side, at in (("left", 0), ("right", 7))]
    return tiny_msgpack.packb(make_reply(arms, params["states"]["gripper_states"]))


def read_goals(params: dict[str, Any]) -> dict[str, list[float]]:
    """Seven angles in radians by arm. A row is named `left 2/5: xyz 0.412 0.198 0.961 joints -0.412 0.311 …`."""
    goals = {}
    for row in params["task_progress"]:
        before, found, angles = row["name"].partition(" joints ")
        if found:
            goals[before.split()[0]] = [float(angle) for angle in angles.split()]
    return goals


def walk(joints: list[float], goal: list[float] | None) -> list[list[float]]:
    """A path from where the arm is to its goal, where it then stays; without a goal it stays where it is."""
    rows = []
    for _ in range(HORIZON):
        joints = [
            now + max(-STEP_RAD, min(STEP_RAD, wanted - now))
            for now, wanted in zip(joints, goal or joints)
        ]
        rows.append(joints)
    return rows


def make_reply(arms: list[list[list[float]]], grippers: list[float]) -> dict[str, Any]:
    """The paths of both arms as the simulator wants them; the grippers stay as they are."""
    left, right = arms
    return {
        "result": {
            "left_arm": {"kind": "JOINT_ABS", "values": left},
            "right_arm": {"kind": "JOINT_ABS", "values": right},
            "left_effector": [[float(grippers[0])]] * len(left),
            "right_effector": [[float(grippers[1])]] * len(right),
        }
    }
