"""Computes seeded problems with one library on one device and compares them with a reference in plain Python.

On stdout: one line of JSON that says what was found, then, only if all was right, `SORTIE-WITNESS TOKEN ok`; the exit
code is 0 only then. Whatever the library prints itself goes to stderr. Runs on Python 3.6 and newer.
"""
import argparse
import faulthandler
import json
import math
import os
import platform
import random
import sys
import time
import traceback
from typing import Any, Dict, List, Optional

from witness_libraries import LIBRARIES, Library, Refused, load_library
from witness_problems import Problem, flatten, make_problems

# The largest error, as a part of the largest value. Halves keep 11 and 8 bits, and libraries may add up in them.
TOLERANCES = {"float32": 2e-3, "float16": 2e-2, "bfloat16": 5e-2}


def main() -> int:
    options = read_options()
    answer = take_stdout()
    faulthandler.dump_traceback_later(options.seconds, exit=True)
    started = time.time()
    facts = {
        "library": options.library,
        "version": None,
        "python": platform.python_version(),
        "device": options.device,
        "name": None,
        "uuid": None,
        "capability": None,
        "cuda": None,
        "checks": [],
        "skipped": [],
        "reason": None,
    }  # type: Dict[str, Any]
    try:
        bear_witness(options, facts)
    except (Exception, SystemExit) as fault:
        print_cause(fault)
        facts["reason"] = describe(fault)
    facts["seconds"] = round(time.time() - started, 3)
    answer.write(json.dumps(facts, sort_keys=True, allow_nan=False) + "\n")
    if facts["reason"] is None:
        answer.write("SORTIE-WITNESS %s ok\n" % options.token)
    answer.flush()
    return 0 if facts["reason"] is None else 1


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--token", required=True)
    parser.add_argument("--library", choices=LIBRARIES + ("auto",), default="auto")
    parser.add_argument("--device", choices=("gpu", "cpu"), required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=110)
    return parser.parse_args()


def take_stdout() -> Any:
    """The real stdout, for the answer alone; what anybody else writes there goes to stderr from now on."""
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return answer


def print_cause(fault: BaseException) -> None:
    """Prints where it comes from; what we say ourselves is in the facts."""
    cause = (fault.__cause__ or fault.__context__) if isinstance(fault, Refused) else fault
    if cause is not None:
        traceback.print_exception(type(cause), cause, cause.__traceback__)


def describe(fault: BaseException) -> str:
    if isinstance(fault, Refused):
        return str(fault)
    return ("%s: %s" % (type(fault).__name__, fault)).strip()


def bear_witness(options: argparse.Namespace, facts: Dict[str, Any]) -> None:
    library = load_library(options.library, options.device, facts)
    problems = make_problems(random.Random(options.seed))
    for kind in ("float32",) + library.halves:
        if options.device == "cpu" and kind != "float32" and not can_compute(library, kind, problems):
            facts["skipped"].append(kind)  # processors need not have it, and libraries do without
            continue
        facts["checks"].extend(check(library, kind, problem) for problem in problems)
    failed = [one for one in facts["checks"] if not one["passed"]]
    if failed:
        facts["reason"] = "; ".join(explain(one) for one in failed)


def can_compute(library: Library, kind: str, problems: List[Problem]) -> bool:
    try:
        for problem in problems:
            library.compute(problem, kind)
    except (RuntimeError, NotImplementedError, TypeError):
        return False
    return True


def check(library: Library, kind: str, problem: Problem) -> Dict[str, Any]:
    tolerance = TOLERANCES[kind]
    try:
        got = flatten(library.compute(problem, kind))
    except Exception as fault:
        raise Refused("%s in %s: %s" % (problem.name, kind, describe(fault))) from fault
    error = find_error(got, problem.wanted)
    passed = error is not None and error <= tolerance
    return {"name": problem.name, "type": kind, "error": error, "tolerance": tolerance, "passed": passed}


def find_error(got: List[float], wanted: List[float]) -> Optional[float]:
    """The largest difference as a part of the largest value; None where there is none to tell: NaN, or another shape."""
    if len(got) != len(wanted) or not all(math.isfinite(value) for value in got):
        return None
    return max(abs(one - other) for one, other in zip(got, wanted)) / max(abs(value) for value in wanted)


def explain(one: Dict[str, Any]) -> str:
    what = "%s in %s" % (one["name"], one["type"])
    if one["error"] is None:
        return what + " gave NaN, infinity or another shape"
    return "%s is off by %.2g of its largest value, more than %g" % (what, one["error"], one["tolerance"])


if __name__ == "__main__":
    sys.exit(main())
