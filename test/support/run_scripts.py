"""Runs Python scripts with W&B offline and tells what W&B kept: `run_scripts.py` reads a list of jobs as JSON from stdin.

A job is {"name", "script", "folder", "env"?}: the script runs as a program of its own in its folder, and W&B keeps its run in
`folder`. For each job a line of JSON is printed: {"name", "exit", "stderr", "runs"}. W&B is imported once, before the
scripts are forked off, two at a time.
"""
import glob
import json
import os
import runpy
import sys
from typing import Any

import wandb  # noqa: F401
from read_offline_run import read_run

AT_A_TIME = 2


def run_all(jobs: list[dict[str, Any]]) -> None:
    running: dict[int, dict[str, Any]] = {}
    while jobs or running:
        if jobs and len(running) < AT_A_TIME:
            job = jobs.pop(0)
            pid = os.fork()
            if pid == 0:
                return run_script(job)
            running[pid] = job
        else:
            pid, status = os.wait()
            print(json.dumps(describe(running.pop(pid), os.waitstatus_to_exitcode(status))), flush=True)


def run_script(job: dict[str, Any]) -> None:
    """The rest of this process is the script: it ends as any program does."""
    folder = os.path.dirname(job["script"])
    output = os.open(os.path.join(job["folder"], "stderr"), os.O_WRONLY | os.O_CREAT, 0o600)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(folder)
    os.environ.update(job.get("env", {}), WANDB_DIR=job["folder"])
    sys.argv = [job["script"]]
    sys.path[0] = folder
    runpy.run_path(job["script"], run_name="__main__")


def describe(job: dict[str, Any], code: int) -> dict[str, Any]:
    kept = glob.glob(os.path.join(glob.escape(job["folder"]), "wandb", "offline-run-*", "run-*.wandb"))
    with open(os.path.join(job["folder"], "stderr"), encoding="utf8") as file:
        text = file.read()
    return {"name": job["name"], "exit": code, "stderr": text, "runs": [read_run(path) for path in kept]}


if __name__ == "__main__":
    run_all(json.load(sys.stdin))
