"""Writes split.json: which rows are for training, validation and test. The same seed writes the same file."""

from __future__ import annotations

import json
import random

from data import DIGITS, SPLIT_FILE, load_digits

SEED = 20240601
TEST_SHARE = 0.20
VALIDATION_SHARE = 0.15


def make_split(digits: list[int], seed: int) -> dict[str, list[int]]:
    """Row numbers of the three parts; each digit has the same share in each part."""
    order = random.Random(seed)
    parts: dict[str, list[int]] = {"train": [], "validation": [], "test": []}
    for digit in range(DIGITS):
        rows = [row for row, value in enumerate(digits) if value == digit]
        order.shuffle(rows)
        test_end = round(len(rows) * TEST_SHARE)
        validation_end = test_end + round(len(rows) * VALIDATION_SHARE)
        parts["test"] += rows[:test_end]
        parts["validation"] += rows[test_end:validation_end]
        parts["train"] += rows[validation_end:]
    return {name: sorted(rows) for name, rows in parts.items()}


if __name__ == "__main__":
    split = make_split(load_digits(), SEED)
    SPLIT_FILE.write_text(json.dumps(split, separators=(",", ":")).replace("],", "],\n") + "\n")
    print({name: len(rows) for name, rows in split.items()})
