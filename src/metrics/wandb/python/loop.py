import collections.abc as _sortie_abc
import functools as _sortie_functools
import os as _sortie_os
import sys as _sortie_sys
import time as _sortie_time
import wandb
#
_sortie = {"step": 0, "at": None, "told": set()}
#
def _sortie_start(config, rank=None):
    """Starts the run in the first process; its project, name and id are in the environment."""
    if rank is None:
        rank = _sortie_os.environ.get("RANK", _sortie_os.environ.get("SLURM_PROCID", "0"))
    if wandb.run is None and str(rank) == "0":
        wandb.init(config=_sortie_plain(config))
        _sortie["step"] = max((wandb.run.step or 0) - 1, 0)
#
def _sortie_plain(value):
    """A configuration as plain values, without what looks like a password."""
    if not hasattr(value, "items"):
        value = vars(value)
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
def _sortie_number(value):
    """A number out of a number, a tensor or a call that gives one."""
    return float(value() if callable(value) and not hasattr(value, "__float__") else value)
#
def _sortie_read(metrics):
    """The numbers that are there; what is none is told once and left out."""
    numbers = {}
    for key, read in metrics.items():
        try:
            value = read()
            if isinstance(value, _sortie_abc.Mapping):
                for name, entry in value.items():
                    numbers[key.split("/")[0] + "/" + str(name)] = _sortie_number(entry)
            else:
                numbers[key] = _sortie_number(value)
        except Exception as fault:
            if key not in _sortie["told"]:
                _sortie["told"].add(key)
                print("W&B does not get %s: %r" % (key, fault), file=_sortie_sys.stderr)
    return numbers
#
def _sortie_train(metrics, samples=None):
    """Logs one step of the training."""
    if wandb.run is None:
        return
    numbers = _sortie_read(metrics)
    now, before = _sortie_time.perf_counter(), _sortie["at"]
    if samples is not None and before is not None and now > before:
        count = _sortie_read({"speed/samples_per_sec": samples})
        numbers.update({key: value / (now - before) for key, value in count.items()})
    torch = _sortie_sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        numbers["gpu/memory_used"] = torch.cuda.max_memory_allocated()
    _sortie["step"] += 1
    wandb.log(numbers, step=_sortie["step"])
    _sortie["at"] = _sortie_time.perf_counter()
#
def _sortie_eval(metrics):
    """Logs an evaluation at the step where the training is; its time is no time of the training."""
    if wandb.run is not None:
        wandb.log(_sortie_read(metrics), step=_sortie["step"])
        _sortie["at"] = None
#
def _sortie_finish(function):
    """Ends the run with the function, as failed where it fails."""
    @_sortie_functools.wraps(function)
    def run(*args, **kwargs):
        try:
            result = function(*args, **kwargs)
        except BaseException as fault:
            is_good = isinstance(fault, SystemExit) and fault.code in (None, 0)
            if wandb.run is not None:
                wandb.finish(exit_code=0 if is_good else 1)
            raise
        if wandb.run is not None:
            wandb.finish()
        return result
    return run
#
