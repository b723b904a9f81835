@_sortie_safely
def _sortie_watch(model) -> None:
    """Has each `fit` of the model log its batches and, after an epoch, its validation."""
    keras = _sortie_sys.modules.get("keras") or _sortie_sys.modules["tensorflow"].keras
    fit = model.fit
    if hasattr(fit, "_sortie_watched"):
        return
    class Watch(keras.callbacks.Callback):
        samples = None
        @_sortie_safely
        def on_train_batch_end(self, batch, logs=None):
            logs = dict(logs or {})
            rate = {"train/lr": lambda: self.model.optimizer.learning_rate}
            _sortie_step({"train/logs": lambda: logs, **rate}, self.samples and (lambda: self.samples))
        @_sortie_safely
        def on_epoch_end(self, epoch, logs=None):
            found = {key: value for key, value in dict(logs or {}).items() if str(key).startswith("val_")}
            if found:
                _sortie_log({"eval/score": lambda: found})
    @_sortie_functools.wraps(fit)
    def watched(*args, **kwargs):
        watch, args = Watch(), list(args)
        watch.samples = args[2] if len(args) > 2 else kwargs.get("batch_size")
        given = args[5] if len(args) > 5 else kwargs.get("callbacks")
        if given is None or isinstance(given, (list, tuple)):
            given = [*(given or ()), watch]
        elif hasattr(given, "append"):
            given.append(watch)
        else:
            given = [given, watch]
        if len(args) > 5:
            args[5] = given
        else:
            kwargs["callbacks"] = given
        return fit(*args, **kwargs)
    watched._sortie_watched = True
    model.fit = watched
#
