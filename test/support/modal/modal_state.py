"""What the double of Modal knows, in files: an account, volumes, apps, and faults that a test wishes for."""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NoReturn

STATE = Path(os.environ["MODAL_DOUBLE"])


def load(name: str, missing: Any) -> Any:
    try:
        return json.loads((STATE / name).read_text())
    except FileNotFoundError:
        return missing


def save(name: str, value: Any) -> None:
    beside = STATE / f"{name}.{os.getpid()}.new"
    beside.write_text(json.dumps(value))
    os.replace(beside, STATE / name)


def load_account() -> dict[str, Any]:
    return load("account.json", {"workspace": "me", "loggedIn": True, "secrets": {}})


def load_fault(command: str) -> Any:
    return load("faults.json", {}).get(command)


def list_apps() -> list[dict[str, Any]]:
    names = sorted(path.name for path in (STATE / "apps").glob("*.json"))
    return [load(f"apps/{name}", None) for name in names]


def change_app(name: str, **changes: Any) -> None:
    save(f"apps/{name}.json", {**load(f"apps/{name}.json", {}), **changes})


def record_call(arguments: list[str]) -> None:
    with open(STATE / "calls.jsonl", "a") as calls:
        calls.write(json.dumps(arguments) + "\n")


def check_access() -> None:
    """Fails as the real program does when nobody is logged in, or Modal is away."""
    if not load_account()["loggedIn"] and "MODAL_TOKEN_ID" not in os.environ:
        where = "If you are a new user, register an account at modal.com, then run `modal token new`."
        fail(f"Token missing. Could not authenticate client. {where}")
    if load_fault("offline"):
        fail("Could not connect to the Modal server.")


def fail(message: str) -> NoReturn:
    print(f"Error: {message}", file=sys.stderr)
    sys.exit(1)


def make_time() -> str:
    """As Modal writes times in JSON."""
    return datetime.now(timezone.utc).isoformat(sep=" ", timespec="seconds")
