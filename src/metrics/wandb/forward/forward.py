"""Makes an offline run of W&B's from the numbers of a log, one JSON object a line on stdin.

The first line says what the run is: {"project", "entity", "name", "id", "folder", "config", "exit"}. Each further one is a
row: {"step", "epoch", "at", "values"}, where a value is a number or one of the texts NaN, Infinity and -Infinity. The last
line of stdout is {"rows": N}: so many were taken. Needs the package wandb; no network and no key.
"""
import json
import sys
from typing import Any

import wandb


def main() -> None:
    head = json.loads(sys.stdin.readline())
    run = wandb.init(
        project=head["project"],
        entity=head["entity"],
        name=head["name"],
        id=head["id"],
        dir=head["folder"],
        config=head["config"],
        resume="allow",
        mode="offline",
    )
    count = 0
    has_axis = False
    for line in sys.stdin:
        row = json.loads(line)
        if row["step"] is not None and not has_axis:
            has_axis = True
            # A printed step may start again or be left out, which W&B's own never does: it counts rows.
            run.define_metric("step", hidden=True)
            run.define_metric("*", step_metric="step")
        run.log(read_row(row))
        count += 1
    run.finish(exit_code=head["exit"])
    print(json.dumps({"rows": count}))


def read_row(row: dict[str, Any]) -> dict[str, float]:
    # W&B keeps names with this first letter for itself.
    values = {name.lstrip("_") or "value": float(value) for name, value in row["values"].items()}
    for place in ("step", "epoch"):
        if row[place] is not None:
            values[place] = row[place]
    if row["at"] is not None:
        values["_timestamp"] = row["at"]
    return values


if __name__ == "__main__":
    main()
