"""A handler that moves at random: valid actions, and next to no score. What a model has to be better than."""

from __future__ import annotations

import random

import solve

SPREAD_RAD = 0.5


def handle(session_id: str, frame: bytes) -> bytes:
    """Answers one observation: each joint of both arms walks to an angle that was drawn."""
    if not frame:
        return b""
    states = solve.tiny_msgpack.unpackb(frame)["params"]["states"]
    joints = states["arm_joint_states"]
    goals = [angle + random.uniform(-SPREAD_RAD, SPREAD_RAD) for angle in joints]
    arms = [solve.walk(joints[at : at + 7], goals[at : at + 7]) for at in (0, 7)]
    return solve.tiny_msgpack.packb(solve.make_reply(arms, states["gripper_states"]))
