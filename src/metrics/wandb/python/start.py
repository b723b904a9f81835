import functools as _sortie_functools
import os as _sortie_os
import sys as _sortie_sys
import typing as _sortie_typing
#
_sortie = {"step": 0, "at": None, "told": set()}
#
def _sortie_tell(what: str, fault: Exception) -> None:
    """Says once what does not reach W&B, and why."""
    if what in _sortie["told"]:
        return
    _sortie["told"].add(what)
    try:
        _sortie_sys.stderr.write("W&B does not get %s: %r\n" % (what, fault))
    except Exception:
        pass  # nobody listens
#
try:
    import wandb
except Exception as _sortie_fault:
    wandb = None
    _sortie_tell("anything", _sortie_fault)
#
def _sortie_safely(function: _sortie_typing.Callable) -> _sortie_typing.Callable:
    """No trouble of the logging ends the training: it is told."""
    @_sortie_functools.wraps(function)
    def run(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception as fault:
            _sortie_tell("all (%s)" % function.__name__.replace("_sortie_", ""), fault)
    return run
#
def _sortie_is_on() -> bool:
    return getattr(wandb, "run", None) is not None
#
def _sortie_is_first() -> bool:
    """Whether this is the first of the processes that train together."""
    if "RANK" in _sortie_os.environ:
        return _sortie_os.environ["RANK"] == "0"
    names = ("SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "LOCAL_RANK")
    return all(_sortie_os.environ.get(name, "0") == "0" for name in names)
#
@_sortie_safely
def _sortie_start(config: object, rank: object = None) -> None:
    """Starts the run, once and in the first process; its project, name and id are in the environment."""
    if wandb is None or _sortie_is_on() or not (_sortie_is_first() if rank is None else str(rank) == "0"):
        return
    plain = {}
    try:
        plain = _sortie_plain(config)
    except Exception as fault:
        _sortie_tell("the configuration", fault)
    try:
        wandb.init(config=plain)
    except Exception as fault:
        _sortie_tell("the run now, it is kept here", fault)
        wandb.teardown()  # else the id is in use
        wandb.init(config=plain, mode="offline")
    _sortie["step"] = max((wandb.run.step or 0) - 1, 0)
#
def _sortie_plain(value) -> dict:
    """A configuration as plain values, without what looks like a password; several become one."""
    if isinstance(value, tuple):
        return {key: entry for part in value for key, entry in _sortie_plain(part).items()}
    if not hasattr(value, "items"):
        value = getattr(value, "__dict__", {})
    plain = {}
    for key, entry in list(value.items()):
        if str(key).lower().endswith(("password", "secret", "token", "api_key", "apikey")):
            continue
        if hasattr(entry, "items"):
            entry = _sortie_plain(entry)
        elif not isinstance(entry, (bool, int, float, str, list, tuple, type(None))):
            entry = str(entry)
        plain[str(key)] = entry
    return plain
#
@_sortie_safely
def _sortie_end(exit_code: int = 0) -> None:
    """Ends the run, where there is one."""
    if _sortie_is_on():
        wandb.finish(exit_code=exit_code)
#
