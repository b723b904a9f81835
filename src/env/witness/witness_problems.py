"""Small problems out of a seed, the same on every host, each with what must come of it, by plain Python."""
import math
import random
from typing import Any, List, Tuple


class Problem:
    """Two nested lists of numbers, and what is to come of them, flat."""

    def __init__(self, name: str, inputs: Tuple[Any, Any], wanted: Any) -> None:
        self.name = name
        self.inputs = inputs
        self.wanted = flatten(wanted)


def make_problems(source: random.Random) -> List[Problem]:
    a, b = make_array(source, 48, 64), make_array(source, 64, 32)
    image, kernel = make_array(source, 2, 3, 12, 12), make_array(source, 4, 3, 3, 3)
    rows = make_array(source, 32, 256)
    return [
        Problem("matmul", (a, b), [[math.fsum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]),
        Problem("conv2d", (image, kernel), [[convolve(planes, weights) for weights in kernel] for planes in image]),
        Problem("sum", (rows, rows), [math.fsum(row) for row in rows]),
    ]


def make_array(source: random.Random, *shape: int) -> List[Any]:
    """Multiples of 1/64 below 2, which every one of the types holds exactly."""
    if len(shape) == 1:
        return [(int(source.random() * 255) - 127) / 64.0 for _ in range(shape[0])]
    return [make_array(source, *shape[1:]) for _ in range(shape[0])]


def convolve(planes: List[Any], weights: List[Any]) -> List[List[float]]:
    size, reach = len(planes[0]), len(weights[0])
    places = range(size - reach + 1)
    offsets = [(c, dy, dx) for c in range(len(planes)) for dy in range(reach) for dx in range(reach)]
    return [
        [math.fsum(planes[c][y + dy][x + dx] * weights[c][dy][dx] for c, dy, dx in offsets) for x in places]
        for y in places
    ]


def flatten(values: Any) -> List[float]:
    if not isinstance(values, list):
        return [float(values)]
    return [value for part in values for value in flatten(part)]
