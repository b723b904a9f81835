import collections.abc as _sortie_abc
import re as _sortie_re
import time as _sortie_time
#
def _sortie_name(group: str, key: object) -> str:
    """The name for W&B: in the group "eval", "val_acc" is "eval/accuracy"."""
    drop = ("train", "training", "epoch", "val", "valid", "validation", "eval", "test")
    words = [word for word in _sortie_re.split(r"[^a-z0-9]+", str(key).lower()) if word not in drop]
    name = "_".join(word for word in words if word) or str(key)
    return group + "/" + {"acc": "accuracy", "perplexity": "ppl"}.get(name, name)
#
def _sortie_number(value) -> float:
    """A number out of a number, a tensor (the mean of a longer one) or a call that gives one."""
    if callable(value) and not hasattr(value, "__float__"):
        value = value()
    try:
        return float(value)
    except Exception:
        return float(value.mean())
#
def _sortie_read(metrics: dict) -> dict:
    """The numbers that are there; what is none is told and left out."""
    numbers = {}
    for key, read in metrics.items():
        try:
            value = read()
            if isinstance(value, _sortie_abc.Mapping):
                group = key.split("/")[0]
                for name, entry in value.items():
                    if hasattr(entry, "__float__"):
                        numbers[_sortie_name(group, name)] = _sortie_number(entry)
            else:
                numbers[key] = _sortie_number(value)
        except Exception as fault:
            _sortie_tell(key, fault)
    return numbers
#
def _sortie_send(numbers: dict) -> None:
    """Gives numbers to W&B, for the step where the training is."""
    try:
        wandb.log(numbers, step=_sortie["step"])
    except Exception as fault:
        _sortie_tell("step %d" % _sortie["step"], fault)
#
@_sortie_safely
def _sortie_step(metrics: dict, samples=None) -> None:
    """Logs one step of the training."""
    if not _sortie_is_on():
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
    _sortie_send(numbers)
    _sortie["at"] = _sortie_time.perf_counter()
#
@_sortie_safely
def _sortie_log(metrics: dict) -> None:
    """Logs what comes between steps, an evaluation for instance; its time is no time of the training."""
    if _sortie_is_on():
        _sortie_send(_sortie_read(metrics))
        _sortie["at"] = None
#
