"""Trains a small network to read handwritten digits, with the Python standard library alone."""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path

from data import DIGITS, PIXELS, Example, load_part, shift_aside
from network import Network, copy_network, find_digit, make_network, make_zeros, train_batch

BATCH = 16
BAR_STEPS = 20
SHIFTS = (-1, 0, 0, 1)  # half of the pictures are shown moved aside, so that exact places don't count
RATE_KEPT_PER_EPOCH = 0.95


def main() -> None:
    options = parse_options()
    started = time.monotonic()
    options.results.mkdir(parents=True, exist_ok=True)
    train, validation = load_part("train"), load_part("validation")
    print(f"{len(train)} pictures to learn from, {len(validation)} to choose by")
    print(f"network: {PIXELS} pixels, {options.hidden} hidden units, {DIGITS} digits")

    network, epochs = run_training(train, validation, options)

    answers = find_answers(network, load_part("test"))  # read only now: nothing above could learn from them
    right = sum(seen == digit for digit, seen in answers)
    seconds = time.monotonic() - started
    print(f"test accuracy {right / len(answers):.1%} ({right} of {len(answers)} right) in {seconds:.1f} s")

    metrics = {
        "arguments": {name: value for name, value in vars(options).items() if name != "results"},
        "epochs": epochs,
        "test_accuracy": right / len(answers),
        "seconds": round(seconds, 3),
    }
    write_file(options.results / "metrics.json", json.dumps(metrics, indent=2) + "\n")
    write_file(options.results / "confusion.txt", format_confusion(answers))
    print(f"results in {options.results}/: metrics.json, confusion.txt")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=parse_count, default=50, help="rounds over the training pictures")
    parser.add_argument("--lr", type=float, default=0.03, help="learning rate of the first epoch")
    parser.add_argument("--hidden", type=parse_count, default=64, help="units of the hidden layer")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same result")
    parser.add_argument("--results", type=Path, default=Path("results"), help="folder for what is written")
    return parser.parse_args()


def parse_count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return count


def run_training(
    train: list[Example], validation: list[Example], options: argparse.Namespace
) -> tuple[Network, list[dict[str, float]]]:
    """The network of the epoch with the best validation accuracy; loss and accuracy of each epoch."""
    order = random.Random(options.seed)
    network = make_network(options.hidden, order)
    speed = make_zeros(network)
    best, best_accuracy = network, -1.0
    epochs = []
    bar = ProgressBar(options.epochs, len(train))
    for epoch in range(1, options.epochs + 1):
        order.shuffle(train)
        rate = options.lr * RATE_KEPT_PER_EPOCH ** (epoch - 1)
        loss = 0.0
        for start in range(0, len(train), BATCH):
            shown = train[start : start + BATCH]
            batch = [shift_aside(example, order.choice(SHIFTS)) for example in shown]
            loss += train_batch(network, speed, batch, rate)
            bar.show(epoch, start + len(batch), loss)
        answers = find_answers(network, validation)
        accuracy = sum(seen == digit for digit, seen in answers) / len(answers)
        if accuracy > best_accuracy:
            best, best_accuracy = copy_network(network), accuracy
        epochs.append({"epoch": epoch, "loss": loss / len(train), "accuracy": accuracy})
        bar.finish(epoch, f"loss {loss / len(train):.4f}  accuracy {accuracy:.1%}")
    return best, epochs


class ProgressBar:
    """One line an epoch, written over by carriage returns: share of the epoch, time gone and left in all."""

    def __init__(self, epochs: int, examples: int) -> None:
        self.epochs = epochs
        self.examples = examples
        self.started = time.monotonic()
        self.shown = -1

    def show(self, epoch: int, done: int, loss: float) -> None:
        filled = done * BAR_STEPS // self.examples
        if filled == self.shown:
            return
        self.shown = filled
        gone = time.monotonic() - self.started
        share = (epoch - 1 + done / self.examples) / self.epochs
        bar = f"{done / self.examples:>4.0%} |{'#' * filled}{'.' * (BAR_STEPS - filled)}|"
        times = f"[{format_time(gone)}<{format_time(gone / share - gone)}]"
        self.write(f"\repoch {epoch:>2}/{self.epochs} {bar} {times} loss {loss / done:.4f}")

    def finish(self, epoch: int, text: str) -> None:
        self.shown = -1
        line = f"epoch {epoch:>2}/{self.epochs}  {text}"
        self.write(f"\r{line:<70}\n")

    def write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def format_time(seconds: float) -> str:
    return f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"


def find_answers(network: Network, examples: list[Example]) -> list[tuple[int, int]]:
    """For each example the digit that it is, and the one that the network sees."""
    return [(digit, find_digit(network, inputs)) for inputs, digit in examples]


def format_confusion(answers: list[tuple[int, int]]) -> str:
    """A table: a row for each digit, a column for what it was taken for."""
    head = "is \\ seen" + "".join(f"{digit:>5}" for digit in range(DIGITS))
    rows = [
        f"{digit:>9}" + "".join(f"{answers.count((digit, seen)) or '.':>5}" for seen in range(DIGITS))
        for digit in range(DIGITS)
    ]
    return "\n".join([head, *rows]) + "\n"


def write_file(path: Path, text: str) -> None:
    """Whole or not at all: written beside, then renamed."""
    beside = path.with_name(path.name + ".tmp")
    beside.write_text(text)
    os.replace(beside, path)


if __name__ == "__main__":
    main()
