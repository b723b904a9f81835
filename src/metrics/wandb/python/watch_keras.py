import functools as _sortie_functools
#
def _sortie_watch(model) -> None:
    """Has each `fit` of the model log its batches and, after an epoch, its validation."""
    keras = _sortie_sys.modules.get("keras") or _sortie_sys.modules["tensorflow"].keras
    fit = model.fit
    if hasattr(fit, "_sortie_watched"):
        return
    class Watch(keras.callbacks.Callback):
        samples = None
        def on_train_batch_end(self, batch, logs=None):
            logs = dict(logs or {})
            rate = {"train/lr": lambda: self.model.optimizer.learning_rate}
            _sortie_step({"train/logs": lambda: logs, **rate}, self.samples and (lambda: self.samples))
        def on_epoch_end(self, epoch, logs=None):
            found = {key: value for key, value in dict(logs or {}).items() if str(key).startswith("val_")}
            if found:
                _sortie_log({"eval/score": lambda: found})
    @_sortie_functools.wraps(fit)
    def watched(*args, **kwargs):
        watch, given = Watch(), kwargs.pop("callbacks", None)
        watch.samples = kwargs.get("batch_size")
        given = [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]
        return fit(*args, callbacks=[*given, watch], **kwargs)
    watched._sortie_watched = True
    model.fit = watched
#
