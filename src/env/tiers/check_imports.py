"""Imports modules and looks at weights, in the environment that a run will have. $1: what, as JSON; $2: the report.

A line of JSON in the report for each: `{"what": ..., "fault": null or why}`, and before an import `{"began": ...}`, since
one may end the process. Runs on Python 3.6 and newer, on the standard library alone.
"""
import importlib
import json
import os
import sys
from typing import Any, Dict, List, Optional

# Folders of weights may be caches of many thousand files; so many are looked at.
MOST_FILES = 100000
MOST_FAULTS = 5


def main() -> int:
    asked = json.loads(sys.argv[1])
    with open(sys.argv[2], "w", buffering=1) as report:
        for name in asked["imports"]:
            report.write(json.dumps({"began": "import " + name}) + "\n")
            tell(report, "import " + name, find_import_fault(name))
        for weights in asked["weights"]:
            tell(report, "weights " + weights["path"], find_weights_fault(weights))
    return 0


def tell(report: Any, what: str, fault: Optional[str]) -> None:
    report.write(json.dumps({"what": what, "fault": fault}) + "\n")


def find_import_fault(name: str) -> Optional[str]:
    try:
        importlib.import_module(name)
    except (Exception, SystemExit) as fault:
        return ("%s: %s" % (type(fault).__name__, fault)).strip()
    return None


def find_weights_fault(weights: Dict[str, Any]) -> Optional[str]:
    path = os.path.abspath(os.path.expanduser(weights["path"]))
    if not os.path.exists(path):
        return "nothing is there"
    faults = find_variable_faults(weights["env"], path)
    faults += find_folder_faults(path) if os.path.isdir(path) else find_file_faults(path, os.path.basename(path))
    return None if not faults else "; ".join(faults[:MOST_FAULTS] + (["and more"] if len(faults) > MOST_FAULTS else []))


def find_variable_faults(name: Optional[str], path: str) -> List[str]:
    if name is None:
        return []
    value = os.environ.get(name)
    if not value:
        return ["$%s, which is to name it, is not set" % name]
    if os.path.realpath(os.path.expanduser(value)) != os.path.realpath(path):
        return ["$%s names %s" % (name, value)]
    return []


def find_folder_faults(folder: str) -> List[str]:
    faults = []  # type: List[str]
    count = 0
    for place, folders, files in os.walk(folder, onerror=lambda fault: faults.append(str(fault))):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = os.path.join(place, name)
            count += 1
            faults += find_file_faults(path, os.path.relpath(path, folder))
        if count > MOST_FILES or len(faults) > MOST_FAULTS:
            break
    return faults if count > 0 or faults else ["the folder holds no file"]


def find_file_faults(path: str, shown: str) -> List[str]:
    name = os.path.basename(path)
    try:
        size = os.stat(path).st_size
    except OSError as fault:
        return ["%s cannot be followed (%s)" % (shown, fault.strerror) if os.path.islink(path) else str(fault)]
    if not os.access(path, os.R_OK):
        return ["%s cannot be read" % shown]
    # Marks and locks of caches are empty by their nature.
    if size == 0 and not name.startswith(".") and not name.endswith((".lock", "__init__.py")):
        return ["%s is empty" % shown]
    return []


if __name__ == "__main__":
    sys.exit(main())
