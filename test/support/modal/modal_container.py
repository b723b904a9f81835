"""A container of the double: a process that has what the function's terms give it, and nothing else of its caller."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from modal_state import STATE, change_app, load_account, load_fault, make_time

DEFAULT_TIMEOUT_S = 300


@dataclass(frozen=True)
class Terms:
    """A function, and the options of its decorator as the app wrote them."""

    given: ClassVar[dict[int, dict[str, str]]] = {}  # values of secrets that are made of the caller's environment

    raw: Callable[..., Any]
    options: dict[str, Any]
    added: list[tuple[str, str, list[str]]]

    def list_secrets(self) -> list[str]:
        return [secret.name for secret in self.options.get("secrets", []) if id(secret) not in Terms.given]

    def list_volumes(self) -> dict[str, str]:
        return {str(path): volume.name for path, volume in self.options.get("volumes", {}).items()}

    def describe(self, args: tuple, options: dict[str, Any]) -> dict[str, Any]:
        terms = {key: self.options.get(key) for key in ("gpu", "timeout")}
        named = {"secrets": self.list_secrets(), "volumes": self.list_volumes()}
        return {"name": self.raw.__name__, **terms, **named, "args": list(args), "options": options}


def start_container(app_id: str, terms: Terms, call: tuple[tuple, dict[str, Any]], *, outlives: bool) -> None:
    """Twice forked, so that it is nobody's child."""
    caller = os.getpid()
    sys.stdout.flush()
    middle = os.fork()
    if middle != 0:
        os.waitpid(middle, 0)
        return
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    try:
        run_container(app_id, terms, call, None if outlives else caller)
    finally:
        os._exit(0)


def run_container(app_id: str, terms: Terms, call: tuple[tuple, dict[str, Any]], caller: int | None) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the caller may have been told to ignore it
    change_app(app_id, pid=os.getpid())
    log = os.open(STATE / "apps" / f"{app_id}.log", os.O_WRONLY | os.O_APPEND)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    enter(STATE / "containers" / app_id, terms)
    threading.Thread(target=watch, args=(app_id, terms, caller), daemon=True).start()
    result = call_function(terms, call)
    sys.stdout.flush()
    beside = STATE / "apps" / f"{app_id}.result.new"
    beside.write_text(json.dumps(result))
    change_app(app_id, state="stopped", tasks="0", stopped_at=make_time(), pid=None)
    os.replace(beside, STATE / "apps" / f"{app_id}.result")


def enter(root: Path, terms: Terms) -> None:
    """The files that the image adds, the variables of the secrets, and the volumes; a launcher's paths lead to these."""
    import modal

    root.mkdir(parents=True)
    for local, remote, ignored in terms.added:
        ignores = modal.FilePatternMatcher(*ignored)
        for path in sorted(Path(local).rglob("*")):
            relative = path.relative_to(local)
            if path.is_file() and not ignores(relative):
                place = root / remote.strip("/") / relative
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, place)
    kept = {name: os.environ[name] for name in ("PATH", "MODAL_DOUBLE", "SORTIE_TEST_FILE") if name in os.environ}
    # An image of Python has `python`, whatever the machine of the tests calls its own.
    kept["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), kept.get("PATH", os.defpath)])
    secrets = load_account()["secrets"]
    values = [secrets[name] for name in terms.list_secrets()] + list(Terms.given.values())
    os.environ.clear()
    os.environ.update({**kept, "HOME": str(root), "PYTHONDONTWRITEBYTECODE": "1"})
    for value in values:
        os.environ.update(value)
    os.chdir(root)
    experiment = terms.raw.__globals__.get("EXPERIMENT")
    if experiment is None:
        return
    places = {path: STATE / "volumes" / name for path, name in terms.list_volumes().items()}
    moved = [place / experiment.kept.relative_to(path) for path, place in places.items()]
    kept_at = moved[0] if moved else root / str(experiment.kept).strip("/")
    code = root / str(experiment.code).strip("/")
    terms.raw.__globals__["EXPERIMENT"] = dataclasses.replace(experiment, code=code, kept=kept_at)


def watch(app_id: str, terms: Terms, caller: int | None) -> None:
    """Ends the function at its time limit, or with its caller; `preemptAfter` takes its machine away once it is logged."""
    started = time.monotonic()
    limit_s = terms.options.get("timeout") or DEFAULT_TIMEOUT_S
    log = STATE / "apps" / f"{app_id}.log"
    preempt_after = (load_fault("run") or {}).get("preemptAfter")
    while True:
        time.sleep(0.05)
        seconds = time.monotonic() - started
        if preempt_after is not None and preempt_after in log.read_text(errors="replace"):
            preempt_after = None
            print("Runner interrupted due to worker preemption. Your Function will be restarted.", flush=True)
            WHY.append("preempted")
            os.kill(os.getpid(), signal.SIGINT)
        elif seconds > limit_s:
            WHY.append(f"Task's current input in-double hit its timeout of {limit_s}s")
            os.kill(os.getpid(), signal.SIGINT)
            return
        elif caller is not None and not is_alive(caller):
            os.kill(os.getpid(), signal.SIGINT)
            return


WHY: list[str] = []


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def call_function(terms: Terms, call: tuple[tuple, dict[str, Any]]) -> dict[str, Any]:
    args, options = call
    while True:
        try:
            return {"value": terms.raw(*args, **options)}
        except KeyboardInterrupt:
            why = WHY.pop() if WHY else "The app was stopped."
            if why == "preempted":
                continue
            kind = "FunctionTimeoutError" if "timeout" in why else "RemoteError"
            return {"error": why, "kind": kind}
        except Exception as fault:
            traceback.print_exc()
            return {"error": repr(fault), "kind": "RemoteError"}
