import functools as _sortie_functools
import typing as _sortie_typing
#
def _sortie_finish(function: _sortie_typing.Callable) -> _sortie_typing.Callable:
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
