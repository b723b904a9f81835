"""What the worker imports for itself comes from Python's own library, never from the handler's folder.

What is imported once stays: for the few modules that the worker needs, `json` among them, a file of that name beside
the handler is not seen by the handler either. The handler itself may have any name.
"""

from __future__ import annotations

import os
import sys


def search_library_alone() -> list[str]:
    """Takes all else out of the search path, and gives the path as it was, to be put back."""
    before = sys.path[:]
    library = os.path.dirname(os.__file__)
    sys.path[:] = [place for place in before if place == library or place.endswith((".zip", "lib-dynload"))]
    return before
