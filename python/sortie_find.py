"""Imports the handler's module, and finds in it what frames are answered with."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import os
import sys
from types import ModuleType
from typing import Any, Callable

from sortie_faults import HandlerFault, describe, format_trace

Function = Callable[..., Any]

MOST_NAMES = 200
HOOKS = {"load": 0, "open": 1, "close": 1}  # with how many arguments they are called
NOT_CALLED = "it is not called for the handler"


def import_module(folder: str, name: str, file: str) -> ModuleType:
    """Imports `file` under `name`, or the module `name`; `folder` comes first on the search path. HandlerFault."""
    sys.path.insert(0, folder)
    forget_namesake(folder, name, file)
    try:
        return import_file(name, file) if file else importlib.import_module(name)
    except ModuleNotFoundError as fault:
        if not file and fault.name and (name + ".").startswith(fault.name + "."):
            raise HandlerFault("not_found", str(fault), missing=fault.name) from None
        raise make_import_fault(fault, missing=fault.name) from fault
    except SyntaxError as fault:
        place = {"file": fault.filename or file or name, "line": fault.lineno, "text": (fault.text or "").strip()}
        raise HandlerFault("syntax", f"{type(fault).__name__}: {fault.msg}", **place) from None
    except BaseException as fault:
        raise make_import_fault(fault) from fault


def forget_namesake(folder: str, name: str, file: str) -> None:
    """Lets a handler have the name of a module that is imported already, as `json` is."""
    top = name.partition(".")[0]
    place = os.path.join(folder, top)
    if file or os.path.isdir(place) or os.path.exists(place + ".py"):
        for known in [known for known in sys.modules if known == top or known.startswith(top + ".")]:
            del sys.modules[known]


def import_file(name: str, file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def make_import_fault(fault: BaseException, **fields: Any) -> HandlerFault:
    message = describe(fault)
    if isinstance(fault, SystemExit):
        message = f"its own code called exit({fault.code!r})"
    return HandlerFault("import", message, **{"trace": format_trace(fault), **fields})


def find_function(module: ModuleType, path: str) -> tuple[Any, Function]:
    """What `path` leads to, and the object that holds it: a module, or another object of it. HandlerFault."""
    owner: Any = module
    found: Any = module
    for word in path.split("."):
        owner = found
        if not hasattr(owner, word):
            raise HandlerFault("no_function", f"{word} is missing", name=path, names=list_functions(owner, path))
        found = getattr(owner, word)
    check_function(found, path)
    return owner, found


def list_functions(owner: Any, path: str) -> list[str]:
    """What may have been meant, with the path that leads to it."""
    before = path.rpartition(".")[0]
    names = [name for name in dir(owner) if not name.startswith("_") and callable(getattr(owner, name, None))]
    return [f"{before}.{name}" if before else name for name in names[:MOST_NAMES]]


def check_function(found: Any, path: str) -> None:
    if inspect.isclass(found):
        advice = "make an object of it in the module and name the method, as in `policy.handle`"
        raise HandlerFault("unfit", f"it is a class; {advice}")
    if not callable(found):
        raise HandlerFault("unfit", f"it is no function but a value of type {type(found).__name__}")
    if not takes(found, 2):
        raise HandlerFault("unfit", f"it is {path}{inspect.signature(found)} and cannot take these two arguments")


def takes(function: Function, arguments: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * arguments)
    except TypeError:
        return False
    except ValueError:
        pass  # some functions written in C do not tell what they take
    return True


def find_hook(module: ModuleType, owner: Any, name: str) -> tuple[Function | None, str | None]:
    """`load`, `open` or `close` beside the function; or why what has that name, as `json.load`, is not meant."""
    hook = getattr(owner, name, None)
    if not callable(hook):
        stray = getattr(module, name, None)
        if callable(stray) and not is_of_python(find_home(stray), module):
            return None, f"{name} belongs to the module and not to the object of the function: {NOT_CALLED}"
        return None, None
    home = find_home(hook)
    if isinstance(owner, ModuleType) and is_of_python(home, module):
        return None, f"{name} comes from {home}: {NOT_CALLED}"
    if not takes(hook, HOOKS[name]):
        way = "with the session id alone" if HOOKS[name] else "without arguments"
        return None, f"{name}{inspect.signature(hook)} cannot be called {way}: {NOT_CALLED}"
    return hook, None


def find_home(hook: Any) -> str:
    """The module that a function comes from; of one with arguments bound to it, the function's own."""
    while isinstance(hook, functools.partial):
        hook = hook.func
    return str(getattr(hook, "__module__", None) or "")


def is_of_python(home: str, module: ModuleType) -> bool:
    """Whether a module is Python's own. The file decides where there is one: the user's may have the same name."""
    if home == module.__name__:
        return False
    top = home.partition(".")[0]
    file = getattr(sys.modules.get(top), "__file__", None)
    if not file:
        return top in getattr(sys, "stdlib_module_names", sys.builtin_module_names)
    library = os.path.dirname(os.__file__) + os.sep
    inside = file[len(library) :] if file.startswith(library) else ""
    return inside != "" and not inside.startswith(("site-packages", "dist-packages"))  # where packages are installed
