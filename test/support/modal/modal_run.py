"""`modal run` of the double: the real program reads the arguments and imports the app; what would dial is done here.

A function's container is a process of its own with a clean environment, so that it goes on when the caller is gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import string
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import modal
import modal.cli.run
from modal_container import Terms, start_container
from modal_state import STATE, change_app, load, load_account, load_fault, make_time

TERMS: dict[int, Terms] = {}
ADDED: dict[int, list[tuple[str, str, list[str]]]] = {}
RUNNING: dict[str, str | bool] = {}


def main() -> None:
    warnings.simplefilter("ignore")
    watch_definitions()
    modal.cli.run.run_app = run_app
    modal.Function.spawn = spawn
    modal.Function.remote = lambda function, *args, **options: spawn(function, *args, **options).get()
    sys.argv[0] = "modal"
    from modal.__main__ import main as run_real

    run_real()


def watch_definitions() -> None:
    """Remembers what the app says of its functions, as it says it."""
    define, add, named = modal.App.function, modal.Image.add_local_dir, modal.Volume.from_name
    environ = modal.Secret.from_local_environ

    def function(app: modal.App, *args: Any, **options: Any) -> Any:
        decorate = define(app, *args, **options)

        def keep(raw: Any) -> Any:
            made = decorate(raw)
            TERMS[id(made)] = Terms(raw=raw, options=options, added=ADDED.get(id(options.get("image")), []))
            return made

        return keep

    def add_local_dir(image: Any, local: Any, remote: str, **options: Any) -> Any:
        made = add(image, local, remote, **options)
        ADDED[id(made)] = [*ADDED.get(id(image), []), (str(local), remote, list(options.get("ignore", [])))]
        return made

    def volume(name: str, *, create_if_missing: bool = False, **options: Any) -> Any:
        if create_if_missing:
            (STATE / "volumes" / name).mkdir(exist_ok=True)
        return named(name, create_if_missing=create_if_missing, **options)

    def from_local_environ(names: list[str]) -> Any:
        made = environ(names)
        Terms.given[id(made)] = {name: os.environ[name] for name in names}
        return made

    modal.App.function = function
    modal.Image.add_local_dir = add_local_dir
    modal.Volume.from_name = staticmethod(volume)
    modal.Secret.from_local_environ = staticmethod(from_local_environ)
    modal.Volume.commit = lambda _: None


@contextlib.contextmanager
def run_app(app: modal.App, *, name: str | None, detach: bool, **_: Any) -> Iterator[modal.App]:
    app_id = "ap-" + "".join(random.choices(string.ascii_letters + string.digits, k=22))
    page = f"https://modal.com/apps/me/main/{app_id}"
    described = name or app.name or Path(sys.argv[-1]).name
    state = "ephemeral (detached)" if detach else "ephemeral"
    facts = {"app_id": app_id, "description": described, "tasks": "0", "created_at": make_time(), "stopped_at": None}
    change_app(app_id, **facts, state=state, functions=[])
    (STATE / "apps" / f"{app_id}.log").touch()
    RUNNING.update(app_id=app_id, detach=detach)
    print(f"✓ Initialized. View run at {page}", flush=True)
    is_left = False
    try:
        check_app()
        print("✓ Created objects.", flush=True)
        yield app
    except (modal.exception.ConnectionError, KeyboardInterrupt) as fault:
        if not detach:
            raise
        is_left = True
        print("Shutting down Modal client." if isinstance(fault, KeyboardInterrupt) else "❗ Connection lost!")
        print(f"The detached App will keep running. You can track its progress on the Dashboard: {page}")
        print(f"\nStream App logs:\nmodal app logs {app_id}\n\nStop the App:\nmodal app stop {app_id}", flush=True)
        return
    finally:
        if not is_left:
            change_app(app_id, state="stopped", tasks="0", stopped_at=make_time())
    print(f"✓ App completed. View run at {page}", flush=True)


def check_app() -> None:
    """What Modal finds before it starts anything that is billed."""
    fault = load_fault("run")
    if fault is not None and "error" in fault:
        print(fault.get("before", ""), flush=True)
        raise modal.exception.RemoteError(fault["error"])
    for terms in TERMS.values():
        for name in terms.list_secrets():
            if name not in load_account()["secrets"]:
                raise modal.exception.NotFoundError(f"Secret '{name}' not found in environment 'main'.")
        for name in terms.list_volumes().values():
            if not (STATE / "volumes" / name).is_dir():
                raise modal.exception.NotFoundError(f"Volume '{name}' not found in environment 'main'.")


class Call:
    """A call of a function in its container; its output is followed until it has ended."""

    def __init__(self, app_id: str) -> None:
        self.app_id = app_id

    def get(self, timeout: float | None = None) -> Any:
        del timeout
        result = STATE / "apps" / f"{self.app_id}.result"
        with open(STATE / "apps" / f"{self.app_id}.log", "rb") as log:
            while True:
                if (load_fault("run") or {}).get("connectionLost"):
                    raise modal.exception.ConnectionError("Could not connect to the Modal server.")
                has_ended = result.exists()
                sys.stdout.buffer.write(log.read())
                sys.stdout.buffer.flush()
                if has_ended:
                    break
                time.sleep(0.05)
        value = json.loads(result.read_text())
        if "error" in value:
            raise getattr(modal.exception, value["kind"], modal.exception.RemoteError)(value["error"])
        return value["value"]


def spawn(function: modal.Function, *args: Any, **options: Any) -> Call:
    app_id, terms = str(RUNNING["app_id"]), TERMS[id(function)]
    functions = load(f"apps/{app_id}.json", {})["functions"]
    change_app(app_id, tasks="1", functions=[*functions, terms.describe(args, options)])
    start_container(app_id, terms, (args, options), outlives=bool(RUNNING["detach"]))
    return Call(app_id)


main()
