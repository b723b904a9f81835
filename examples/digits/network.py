"""A network of one hidden layer, trained by gradient descent with momentum, in plain Python lists."""

from __future__ import annotations

import math
import random
from operator import mul
from typing import List, NamedTuple

from data import DIGITS, PIXELS, Example

Matrix = List[List[float]]  # one row a unit: its weights, the bias last

MOMENTUM = 0.9


class Network(NamedTuple):
    hidden: Matrix
    output: Matrix


def make_network(hidden_units: int, order: random.Random) -> Network:
    """Random weights, small enough that signals keep their size; biases 0."""
    return Network(make_layer(hidden_units, PIXELS, order), make_layer(DIGITS, hidden_units, order))


def make_layer(units: int, inputs: int, order: random.Random) -> Matrix:
    spread = math.sqrt(2 / inputs)
    return [[order.gauss(0, spread) for _ in range(inputs)] + [0.0] for _ in range(units)]


def make_zeros(network: Network) -> Network:
    """The same shape, all zeros: for gradients and for momentum."""
    return Network(*([[0.0] * len(row) for row in layer] for layer in network))


def copy_network(network: Network) -> Network:
    return Network(*([list(row) for row in layer] for layer in network))


def compute_hidden(network: Network, inputs: list[float]) -> list[float]:
    """The hidden layer's values (negative ones cut to 0), and a constant 1 for the next bias."""
    return [max(0.0, sum(map(mul, row, inputs))) for row in network.hidden] + [1.0]


def compute_chances(network: Network, hidden: list[float]) -> list[float]:
    """The chance of each digit; they add up to 1."""
    scores = [sum(map(mul, row, hidden)) for row in network.output]
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def find_digit(network: Network, inputs: list[float]) -> int:
    """The digit that the network sees in a picture."""
    chances = compute_chances(network, compute_hidden(network, inputs))
    return chances.index(max(chances))


def train_batch(network: Network, speed: Network, batch: list[Example], rate: float) -> float:
    """One step down the slope of the batch's loss. Changes `network` and `speed`; gives the summed loss."""
    slope = make_zeros(network)
    loss = sum(add_slope(network, slope, example) for example in batch)
    scale = rate / len(batch)
    for layer, layer_speed, layer_slope in zip(network, speed, slope):
        for unit, row_slope in enumerate(layer_slope):
            row_speed = [MOMENTUM * v - scale * g for v, g in zip(layer_speed[unit], row_slope)]
            layer_speed[unit] = row_speed
            layer[unit] = [w + v for w, v in zip(layer[unit], row_speed)]
    return loss


def add_slope(network: Network, slope: Network, example: Example) -> float:
    """Adds one example's part to the slope (back-propagation); gives its loss."""
    hidden = compute_hidden(network, example.inputs)
    errors = compute_chances(network, hidden)
    loss = -math.log(max(errors[example.digit], 1e-12))
    errors[example.digit] -= 1.0
    add_outer(slope.output, errors, hidden)
    # A unit that was cut to 0 had no say in the answer: it gets no blame.
    columns = zip(*network.output)
    blames = [sum(map(mul, errors, column)) if value > 0 else 0.0 for value, column in zip(hidden, columns)]
    add_outer(slope.hidden, blames[:-1], example.inputs)
    return loss


def add_outer(slope: Matrix, errors: list[float], inputs: list[float]) -> None:
    for unit, error in enumerate(errors):
        if error != 0.0:
            slope[unit] = [g + error * x for g, x in zip(slope[unit], inputs)]
