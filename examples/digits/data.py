"""Reads pictures of the split's three parts, each only when it is asked for."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import List, NamedTuple

HERE = Path(__file__).parent
PICTURES_FILE = HERE / "digits.csv.gz"
SPLIT_FILE = HERE / "split.json"
WIDTH = 8
PIXELS = WIDTH * WIDTH
DIGITS = 10
BRIGHTEST = 16


class Example(NamedTuple):
    """One picture: 64 values from 0 to 1, then a constant 1 for the bias; and the digit that it shows."""

    inputs: List[float]
    digit: int


def load_part(name: str) -> list[Example]:
    """The examples of one part: `train`, `validation` or `test`. No row of another part is parsed."""
    wanted = set(json.loads(SPLIT_FILE.read_text())[name])
    with gzip.open(PICTURES_FILE, "rt", newline="") as file:
        return [parse_row(row) for index, row in enumerate(csv.reader(file)) if index in wanted]


def load_digits() -> list[int]:
    """The digit of every row, without the pictures: what a split needs to know."""
    with gzip.open(PICTURES_FILE, "rt", newline="") as file:
        return [int(row[-1]) for row in csv.reader(file)]


def parse_row(row: list[str]) -> Example:
    """A row has 64 whole numbers from 0 to 16, then the digit."""
    pixels = [int(value) / BRIGHTEST for value in row[:PIXELS]]
    return Example(inputs=[*pixels, 1.0], digit=int(row[PIXELS]))


def shift_aside(example: Example, by: int) -> Example:
    """The picture moved one column to the left (-1) or right (1), or as it is (0): still the same digit."""
    if by == 0:
        return example
    moved: list[float] = []
    for start in range(0, PIXELS, WIDTH):
        row = example.inputs[start : start + WIDTH]
        moved += [0.0, *row[:-1]] if by > 0 else [*row[1:], 0.0]
    return Example(inputs=[*moved, 1.0], digit=example.digit)
