def _sortie_finish(function: _sortie_typing.Callable) -> _sortie_typing.Callable:
    """Ends the run with the function, as failed where it fails."""
    @_sortie_functools.wraps(function)
    def run(*args, **kwargs):
        try:
            result = function(*args, **kwargs)
        except BaseException as fault:
            is_good = isinstance(fault, SystemExit) and fault.code in (None, 0)
            _sortie_end(exit_code=0 if is_good else 1)
            raise
        _sortie_end()
        return result
    return run
#
