"""A handler that holds the robot still. Copy this file and put a model into `load` and `handle`.

    python simubotix_agent.py --handler example_inference:handle …

An agent calls `handle` for every observation, one at a time, and sends back what it returns. Both are msgpack, and the
agent does not look for anything beside the functions of this file, so that any model and any package can stand behind it.
What is printed here goes to the agent's log. An exception is told to the simulator and ends the episode, not the agent.
"""

from __future__ import annotations

import os
from typing import Any

import tiny_msgpack

# How many steps one answer holds. The simulator plays all of them before it asks again: 30 on the board manip, 50 on
# instruction, spatial and robust.
HORIZON = 30 if os.environ.get("SORTIE_BOARD") == "manip" else 50

# Robots whose grippers say 0 to 93.6 of themselves, but are told 0 (open) to 1 (closed).
GRIPPER_IN_SHARES = ("G1_omnipicker", "G2_90d_gp")


def load() -> None:
    """Called once, before the agent says that it is ready: the place to load the weights. May take minutes."""


# def open(session_id: str) -> None:   called when an episode begins: forget what the model remembers of the last one
# def close(session_id: str) -> None:  called when it has ended


def handle(session_id: str, frame: bytes) -> bytes:
    """Answers one observation with one chunk of actions."""
    if not frame:
        return b""  # agents without `load` warm up with an empty frame
    observation = read_observation(frame)
    if observation is None:
        return frame  # not this challenge's: sent back as it came, which is enough to try out a tunnel
    return tiny_msgpack.packb(hold_still(observation))


def read_observation(frame: bytes) -> dict[str, Any] | None:
    """The `params` of an observation: `images`, `states`, `prompt`, `robot_type`, `episode_idx` and others.

    A picture is `params["images"]["head"]["image_data"]`, the bytes of a JPEG; `hand_left` and `hand_right` likewise.
    `params["prompt"]` says what is to be done.
    """
    try:
        observation = tiny_msgpack.unpackb(frame)
    except ValueError:
        return None
    params = observation.get("params") if isinstance(observation, dict) else None
    return params if isinstance(params, dict) and "states" in params else None


def hold_still(params: dict[str, Any]) -> dict[str, Any]:
    """Every joint stays where it is. Plain lists of numbers throughout: call `.tolist()` on arrays of numpy."""
    joints = params["states"]["arm_joint_states"]  # 14 angles in radians, left arm first
    grippers = params["states"]["gripper_states"]  # left and right, in the robot's own unit
    left_grip, right_grip = (hold_gripper(state, params.get("robot_type", "")) for state in grippers)
    result: dict[str, Any] = {
        "left_arm": {"kind": "JOINT_ABS", "values": [joints[:7]] * HORIZON},
        "right_arm": {"kind": "JOINT_ABS", "values": [joints[7:]] * HORIZON},
        "left_effector": [[left_grip]] * HORIZON,
        "right_effector": [[right_grip]] * HORIZON,
    }
    if "policy_rng" in params:
        result["policy_rng"] = params["policy_rng"]  # simulators that send it want it back
    return {"result": result}


def hold_gripper(state: float, robot_type: str) -> float:
    """The action that leaves a gripper as it is: state and action differ in their unit, which nothing checks."""
    if robot_type not in GRIPPER_IN_SHARES:
        return float(state)
    return min(1.0, max(0.0, 0.22 + state / 120))
