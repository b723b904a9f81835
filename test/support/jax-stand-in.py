"""Has of jax what a witness calls, over numpy, with the names and rules of the real one.

$FAKE_CAPABILITY is that of the only card, as in 8.0; none: there is none. $FAKE_JAX is what is special about it: greedy (it
takes the card's memory unless it is told not to).
"""
import os
from types import SimpleNamespace
from typing import Any, List

import numpy as np  # the name `numpy` here is that of the module below

__version__ = "0.4.30"
float32, float16, bfloat16 = "float32", "float16", "bfloat16"
GREEDY = os.environ.get("FAKE_JAX") == "greedy" and os.environ.get("XLA_PYTHON_CLIENT_PREALLOCATE") != "false"


def devices(platform: str) -> List[Any]:
    capability = os.environ.get("FAKE_CAPABILITY", "")
    only = os.environ.get("JAX_PLATFORMS", "")
    if platform == "cpu":
        return [SimpleNamespace(device_kind="cpu", client=SimpleNamespace(platform_version="<unknown>"))]
    if capability == "" or only == "cpu":
        raise RuntimeError(
            "Unknown backend: 'gpu' requested, but no platforms that are instances of gpu are present. "
            "Platforms present are: cpu"
        )
    if GREEDY:
        raise RuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 64424509440 bytes")
    client = SimpleNamespace(platform_version="PJRT C API\ncuda 12030")
    return [SimpleNamespace(device_kind="NVIDIA A100", compute_capability=capability, client=client)]


class Array:
    def __init__(self, values: Any, dtype: str, device: Any = None) -> None:
        # numpy has no bfloat16: what is computed in float32 is near enough.
        self.values = np.asarray(values, dtype="float32" if dtype == bfloat16 else dtype)
        self.dtype, self.device = dtype, device

    def astype(self, dtype: str) -> "Array":
        return Array(self.values, dtype, self.device)


def asarray(values: Any, dtype: str) -> Array:
    return Array(values, dtype)


def device_put(array: Array, device: Any) -> Array:
    return Array(array.values, array.dtype, device)


def device_get(array: Array) -> Any:
    if array.device is None:
        raise AssertionError("it was computed nowhere in particular")
    return array.values


def matmul(first: Array, second: Array) -> Array:
    return Array(np.matmul(first.values, second.values), first.dtype, first.device)


def sum(array: Array, axis: int) -> Array:
    return Array(array.values.sum(axis=axis), array.dtype, array.device)


def conv(image: Array, kernel: Array, strides: Any, padding: str) -> Array:
    if tuple(strides) != (1, 1) or padding != "VALID":
        raise AssertionError("this convolution is another one")
    windows = np.lib.stride_tricks.sliding_window_view(image.values, kernel.values.shape[2:], axis=(2, 3))
    return Array(np.einsum("bcyxij,ocij->boyx", windows, kernel.values), image.dtype, image.device)


lax = SimpleNamespace(conv=conv)
