"""What a launcher does inside the container: it runs one command and keeps what that made. It knows nothing of Modal."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path


@dataclass(frozen=True)
class Experiment:
    """One command, where it runs, and where is kept what it makes."""

    run_id: str
    command: list[str]
    code: Path  # the folder that the command starts in
    kept: Path  # everything in it comes home
    results: list[str]  # patterns of files below `code` that are kept, too
    limit_s: float
    grace_s: float = 30


@dataclass(frozen=True)
class Ending:
    """How the command ended; as a shell says it, 128 and a signal's number where one ended it."""

    exit_code: int
    signal: str | None
    reason: str  # exited, signal, time_limit or never_started


def run_and_keep(experiment: Experiment, commit: Callable[[], None]) -> int:
    """Runs the command, writes exit.json and, last of all, manifest.json; answers the command's own exit code."""
    kept = experiment.kept
    if (kept / "manifest.json").exists():  # Modal starts a function again whose machine it took away
        print("sortie: this run has ended before, and is not started again", flush=True)
        return json.loads((kept / "exit.json").read_text())["exitCode"]
    (kept / "results").mkdir(parents=True, exist_ok=True)
    with open(kept / "starts", "a") as starts:
        starts.write(f"{make_time()}\n")
    before = list_files(experiment)
    started, started_s = make_time(), time.monotonic()

    try:
        ending = run_command(experiment)
    except BaseException:
        commit()  # the machine is taken away, or the app was stopped: what is there by now is not lost
        raise

    left_out = keep_made(experiment, before)
    seconds = round(time.monotonic() - started_s, 3)
    about = {"schema": 1, "runId": experiment.run_id}
    ended = {"exitCode": ending.exit_code, "signal": ending.signal, "reason": ending.reason}
    times = {"startedAt": started, "endedAt": make_time(), "seconds": seconds}
    starts_count = len((kept / "starts").read_text().splitlines())
    write_json(kept / "exit.json", {**about, **ended, **times, "starts": starts_count})
    files = hash_files(kept, left_out)
    write_json(kept / "manifest.json", {**about, "files": files, "leftOut": left_out})
    commit_surely(commit)
    print(f"sortie: ended with exit code {ending.exit_code}; {len(files)} files are kept", flush=True)
    return ending.exit_code


def commit_surely(commit: Callable[[], None], tries: int = 5, pause_s: float = 5) -> None:
    for left in range(tries - 1, -1, -1):
        try:
            return commit()
        except Exception as fault:
            print(f"sortie: the volume did not take the results: {fault}", flush=True)
            if left == 0:
                raise RuntimeError("the volume did not take the results") from fault
            time.sleep(pause_s)


def run_command(experiment: Experiment) -> Ending:
    """Runs it in a process group of its own; its output goes to ours and to the file `log`."""
    variables = {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        "SORTIE_RUN_ID": experiment.run_id,
        "SORTIE_RUN_DIR": str(experiment.kept),
        "SORTIE_RESULTS_DIR": str(experiment.kept / "results"),
        "SORTIE_ATTEMPT": "1",
    }
    with open(experiment.kept / "log", "ab", buffering=0) as log:
        try:
            process = subprocess.Popen(
                experiment.command,
                cwd=experiment.code,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as fault:
            say(f"sortie: {experiment.command[0]} cannot be started: {fault.strerror}\n".encode(), log)
            return Ending(127 if isinstance(fault, FileNotFoundError) else 126, None, "never_started")
        copier = threading.Thread(target=copy_output, args=(process, log), daemon=True)
        copier.start()
        try:
            reason = wait_for(process, experiment)
        finally:
            copier.join(2)  # a child that stays may hold the pipe open for ever
            signal_group(process, signal.SIGKILL)
            copier.join(1)
        if process.returncode < 0:
            number = -process.returncode
            name = next((known.name for known in signal.Signals if known == number), f"SIG{number}")
            return Ending(128 + number, name, "signal" if reason == "exited" else reason)
        return Ending(process.returncode, None, reason)


def wait_for(process: subprocess.Popen[bytes], experiment: Experiment) -> str:
    """Stops it at the time limit so that it can save, and before anything else that ends us."""
    try:
        process.wait(timeout=experiment.limit_s)
        return "exited"
    except subprocess.TimeoutExpired:
        print(f"sortie: the time limit of {experiment.limit_s:g} s is reached", flush=True)
        stop_group(process, experiment.grace_s)
        return "time_limit"
    except BaseException:
        stop_group(process, min(experiment.grace_s, 20))  # Modal leaves 30 s
        raise


def stop_group(process: subprocess.Popen[bytes], grace_s: float) -> None:
    signal_group(process, signal.SIGTERM)
    try:
        process.wait(timeout=grace_s)
    except subprocess.TimeoutExpired:
        signal_group(process, signal.SIGKILL)
        process.wait()


def signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        pass  # nobody of it is left


def copy_output(process: subprocess.Popen[bytes], log) -> None:
    while chunk := os.read(process.stdout.fileno(), 65536):
        say(chunk, log)


def say(text: bytes, log) -> None:
    """A log that cannot be written does not end the command."""
    for stream in (sys.stdout.buffer, log):
        try:
            stream.write(text)
            stream.flush()
        except (OSError, ValueError):
            pass


def list_files(experiment: Experiment) -> dict[str, tuple[int, int]]:
    """The files below `code` that the patterns mean, with what changes when one is written."""
    patterns = [make_pattern(glob) for glob in experiment.results]
    found = {}
    for folder, _, names in os.walk(experiment.code):
        for name in names:
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, experiment.code)
            if os.path.isfile(path) and any(pattern.fullmatch(relative) for pattern in patterns):
                facts = os.stat(path)
                found[relative] = (facts.st_size, facts.st_mtime_ns)
    return found


def make_pattern(glob: str) -> re.Pattern[str]:
    """`*`, `**`, `?`, `[ab]` and `{a,b}`; a pattern that means a folder means all below it."""
    parts = [part for part in glob.split("/") if part not in ("", ".")]
    inside = translate("/".join(parts))
    return re.compile(f"(?:{inside})(?:/.*)?" if parts else ".*", re.DOTALL)


def translate(glob: str) -> str:
    simple = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}

    def replace(match: re.Match[str]) -> str:
        token = match.group()
        if token in simple:
            return simple[token]
        if len(token) > 2 and token[0] == "{":
            return "(?:" + "|".join(translate(choice) for choice in token[1:-1].split(",")) + ")"
        if len(token) > 2 and token[0] == "[":
            return "[" + token[1:-1].replace("\\", "\\\\").replace("[", "\\[") + "]"
        return re.escape(token[-1])

    return re.sub(r"\*\*/|\*\*|\*|\?|\[[^]/]+\]|\{[^{}]+\}|\\.|.", replace, glob, flags=re.DOTALL)


def keep_made(experiment: Experiment, before: dict[str, tuple[int, int]]) -> list[dict[str, str]]:
    """Copies what is new or changed to `kept/code`; answers what could not be copied."""
    left_out = []
    for path, facts in list_files(experiment).items():
        if before.get(path) == facts:
            continue
        place = experiment.kept / "code" / path
        try:
            path.encode()  # a volume takes no name that is not UTF-8
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(experiment.code / path, place)
        except (OSError, UnicodeEncodeError) as fault:
            left_out.append({"path": ascii(path)[1:-1], "reason": str(fault)})
    return left_out


def hash_files(kept: Path, left_out: list[dict[str, str]]) -> list[dict[str, object]]:
    files = []
    for path in sorted(path for path in kept.rglob("*") if path.is_file()):
        name = path.relative_to(kept).as_posix()
        try:
            name.encode()
            digest, size = hashlib.sha256(), 0
            with open(path, "rb") as stream:
                while chunk := stream.read(1 << 20):
                    digest.update(chunk)
                    size += len(chunk)
        except (OSError, UnicodeEncodeError) as fault:
            left_out.append({"path": ascii(name)[1:-1], "reason": str(fault)})
        else:
            files.append({"path": name, "bytes": size, "sha256": digest.hexdigest()})
    return files


def write_json(path: Path, value: object) -> None:
    """Whole or absent."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(json.dumps(value, indent=1) + "\n")
    os.replace(beside, path)


def make_time() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
