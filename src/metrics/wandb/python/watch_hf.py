@_sortie_safely
def _sortie_watch(trainer) -> None:
    """Logs what Hugging Face's trainer logs, by the names and steps that all runs have."""
    base = _sortie_sys.modules["transformers"].TrainerCallback
    class Watch(base):
        seen = 0
        @_sortie_safely
        def on_train_begin(self, args, state, control, **kwargs):
            self.seen = state.global_step
            _sortie["at"] = _sortie_time.perf_counter()
        @_sortie_safely
        def on_log(self, args, state, control, logs=None, **kwargs):
            logs = dict(logs or {})
            evaluated = {key: value for key, value in logs.items() if str(key).startswith("eval_")}
            steps, _sortie["step"] = state.global_step - self.seen, state.global_step
            if "loss" in logs:
                self.seen, _sortie["step"] = state.global_step, state.global_step - 1
                batch = args.train_batch_size * args.gradient_accumulation_steps * args.world_size
                rate = logs.pop("learning_rate", None)
                metrics = {"train/logs": lambda: logs}
                if rate is not None:
                    metrics["train/lr"] = lambda: rate
                _sortie_step(metrics, lambda: steps * batch)
            elif evaluated:
                _sortie_log({"eval/score": lambda: evaluated})
    for callback in list(trainer.callback_handler.callbacks):
        if type(callback).__name__ == "WandbCallback":
            trainer.remove_callback(type(callback))
    trainer.add_callback(Watch())
#
