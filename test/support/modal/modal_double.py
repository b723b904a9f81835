"""A stand-in for the program `modal`, which would dial its vendor: the same words, answered from the folder MODAL_DOUBLE.

`modal run` is the real program's own, see modal_run.py; the options of the others are compared with the real ones' by a test.
"""

from __future__ import annotations

import argparse
import json
import os
import runpy
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from modal_state import (
    STATE,
    change_app,
    check_access,
    fail,
    list_apps,
    load,
    load_account,
    load_fault,
    make_time,
    record_call,
    save,
)

COMMANDS: dict[str, tuple[Callable[[argparse.Namespace], None], list[str]]] = {}


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--options"]:  # for the test that compares them
        print(json.dumps({name: [word for word in words if word[0] == "-"] for name, (_, words) in COMMANDS.items()}))
        return
    record_call(arguments)
    if arguments == ["--version"]:
        print("modal client version: 1.6.4")
    elif arguments[:1] == ["run"]:
        check_access()
        runpy.run_path(str(Path(__file__).with_name("modal_run.py")), run_name="__main__")
    else:
        run_command(arguments)


def run_command(arguments: list[str]) -> None:
    name = " ".join(arguments[:2])
    if name not in COMMANDS:
        fail(f"No such command '{name}'.")
    run, words = COMMANDS[name]
    parser = argparse.ArgumentParser(prog=f"modal {name}", allow_abbrev=False)
    for word in words:
        if word in ("--json", "--force", "--yes"):
            parser.add_argument(word, action="store_true")
        elif word in ("folder", "to"):
            parser.add_argument(word, nargs="?", default={"folder": "/", "to": "."}[word])
        else:
            parser.add_argument(word)
    given = parser.parse_args(arguments[2:])
    if not name.startswith("profile"):
        check_access()
    run(given)


def command(name: str, *words: str) -> Callable[[Callable], Callable]:
    def add(run: Callable[[argparse.Namespace], None]) -> Callable[[argparse.Namespace], None]:
        COMMANDS[name] = (run, list(words))
        return run

    return add


@command("profile current")
def show_profile(_: argparse.Namespace) -> None:
    print("default")  # with or without a login, as the real one


@command("token info")
def show_token(_: argparse.Namespace) -> None:
    print(f"Token: ak-double\nWorkspace: {load_account()['workspace']} (ac-double)")


@command("secret list", "--json")
def list_secrets(_: argparse.Namespace) -> None:
    print(json.dumps([{"name": name, "created_at": make_time()} for name in load_account()["secrets"]]))


@command("volume list", "--json")
def list_volumes(_: argparse.Namespace) -> None:
    names = sorted(path.name for path in (STATE / "volumes").iterdir())
    print(json.dumps([{"name": name, "created_at": make_time(), "created_by": "me"} for name in names]))


@command("volume create", "volume")
def create_volume(given: argparse.Namespace) -> None:
    folder = STATE / "volumes" / given.volume
    if folder.exists():
        fail(f"Volume '{given.volume}' already exists in environment 'main'.")
    folder.mkdir()


@command("volume ls", "--json", "volume", "folder")
def list_folder(given: argparse.Namespace) -> None:
    rows = []
    for path in sorted(find_place(given.volume, given.folder).iterdir()):
        kind = "dir" if path.is_dir() else "file"
        name = path.relative_to(STATE / "volumes" / given.volume).as_posix()
        rows.append({"filename": name, "type": kind, "created_modified": make_time(), "size": path.stat().st_size})
    print(json.dumps(rows))


@command("volume get", "--force", "volume", "path", "to")
def get_files(given: argparse.Namespace) -> None:
    """As the real one: below the folder `to` under its last name; where `to` is no folder, every file becomes `to`."""
    source = find_place(given.volume, given.path)
    to = Path(given.to)
    for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
        relative = path.relative_to(source.parent)
        place = to / relative if to.is_dir() else to
        if path.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        elif place.exists() and not given.force:
            fail(f"Output path '{place}' already exists. Use --force to overwrite the output directory")
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            fetch_file(path, place)
    print("✓ Finished downloading files to local!")


def fetch_file(path: Path, place: Path) -> None:
    """Spoils the file whose path ends in `path` of the fault, as often as it says (once)."""
    fault = load_fault("get")
    if fault is None or not path.as_posix().endswith(fault["path"]) or fault.get("times", 1) < 1:
        shutil.copyfile(path, place)
        return
    save("faults.json", {**load("faults.json", {}), "get": {**fault, "times": fault.get("times", 1) - 1}})
    if "body" in fault:
        place.write_text(fault["body"])
    elif "bytes" in fault:
        place.write_bytes(path.read_bytes()[: fault["bytes"]])


def find_place(volume: str, path: str) -> Path:
    folder = STATE / "volumes" / volume
    if not folder.is_dir():
        fail(f"Volume '{volume}' not found in environment 'main'.")
    place = folder / path.strip("/")
    if not place.exists():
        fail(f"No such file or directory: {path}")
    return place


@command("app list", "--json", "--limit")
def show_apps(_: argparse.Namespace) -> None:
    keys = ["app_id", "description", "state", "tasks", "created_at", "stopped_at"]
    print(json.dumps([{key: app.get(key) for key in keys} for app in list_apps()]))


@command("app logs", "--tail", "app")
def show_log(given: argparse.Namespace) -> None:
    lines = (STATE / "apps" / f"{find_app(given.app)['app_id']}.log").read_bytes().splitlines(keepends=True)
    sys.stdout.buffer.write(b"".join(lines[-int(given.tail or 100) :]))


@command("app stop", "--yes", "app")
def stop_app(given: argparse.Namespace) -> None:
    app = find_app(given.app)
    if app["state"] == "stopped":
        return
    if not given.yes:
        print("Aborted: no interactive terminal detected. Rerun with --yes (-y) to skip confirmation.", file=sys.stderr)
        sys.exit(1)
    if app.get("pid"):
        end_container(app["pid"])
    change_app(app["app_id"], state="stopped", tasks="0", stopped_at=make_time())


def end_container(pid: int) -> None:
    """Interrupted, and ended 30 s later."""
    try:
        os.kill(pid, signal.SIGINT)
        for _ in range(300):
            time.sleep(0.1)
            os.kill(pid, 0)
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def find_app(name: str) -> dict:
    for app in list_apps():
        if name in (app["app_id"], app["description"]):
            return app
    fail(f"No App with name '{name}' found in the 'main' environment.")


if __name__ == "__main__":
    main()
