@_sortie_safely
def _sortie_watch(trainer) -> None:
    """Logs what Lightning's trainer has after each batch and each validation."""
    modules = [_sortie_sys.modules.get(name) for name in ("lightning.pytorch", "pytorch_lightning")]
    base = next(module.Callback for module in modules if module is not None)
    def read(trainer, words):
        found = trainer.callback_metrics.items()
        return {key: value for key, value in found if _sortie_re.split(r"[^a-z]", str(key).lower())[0] in words}
    class Watch(base):
        @_sortie_safely
        def on_train_batch_end(self, trainer, module, outputs, batch, *rest):
            first = list(batch.values())[0] if hasattr(batch, "values") else batch
            first = first[0] if isinstance(first, (list, tuple)) else first
            _sortie_step(
                {
                    "train/epoch": lambda: read(trainer, ("train", "training")),
                    "train/loss": lambda: outputs["loss"] if hasattr(outputs, "items") else outputs,
                    "train/lr": lambda: trainer.optimizers[0].param_groups[0]["lr"],
                },
                lambda: len(first),
            )
        @_sortie_safely
        def on_validation_end(self, trainer, module):
            if not trainer.sanity_checking:
                _sortie_log({"eval/score": lambda: read(trainer, ("val", "valid", "validation", "eval"))})
        @_sortie_safely
        def on_test_end(self, trainer, module):
            _sortie_log({"eval/score": lambda: read(trainer, ("test",))})
    trainer.callbacks.append(Watch())
#
