import os as _sortie_os
import wandb
#
_sortie = {"step": 0, "at": None, "told": set()}
#
def _sortie_is_first() -> bool:
    """Whether this is the first of the processes that train together."""
    if "RANK" in _sortie_os.environ:
        return _sortie_os.environ["RANK"] == "0"
    names = ("SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "LOCAL_RANK")
    return all(_sortie_os.environ.get(name, "0") == "0" for name in names)
#
def _sortie_start(config: object, rank: object = None) -> None:
    """Starts the run, once and in the first process; its project, name and id are in the environment."""
    if wandb.run is None and (_sortie_is_first() if rank is None else str(rank) == "0"):
        wandb.init(config=_sortie_plain(config))
        _sortie["step"] = max((wandb.run.step or 0) - 1, 0)
#
def _sortie_plain(value) -> dict:
    """A configuration as plain values, without what looks like a password."""
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
