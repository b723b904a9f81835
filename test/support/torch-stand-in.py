"""Has of torch what a witness calls, over numpy, with the names and rules of the real one.

$FAKE_CAPABILITY is that of the only card, as in 8.0; none: there is none. $FAKE_TORCH is what is special about it: cpu (built
without CUDA), old (release 2.1: no UUID, no including_emulation), nan (a bfloat16 convolution is NaN on the card), apart
(built for another numpy than the one beside it).
"""
import os
from types import SimpleNamespace
from typing import Any, Optional

import numpy

SPECIAL = os.environ.get("FAKE_TORCH", "")
CAPABILITY = os.environ.get("FAKE_CAPABILITY", "")
__version__ = "2.1.2+cu121" if SPECIAL == "old" else "2.4.0+cu121"
version = SimpleNamespace(cuda=None if SPECIAL == "cpu" else "12.1", hip=None)
float32, float16, bfloat16 = "float32", "float16", "bfloat16"


def device(name: str) -> str:
    return name


def is_available() -> bool:
    return CAPABILITY != "" and SPECIAL != "cpu"


def init() -> None:
    raise RuntimeError("No CUDA GPUs are available")


def get_device_properties(index: int) -> Any:
    major, minor = (int(part) for part in CAPABILITY.split("."))
    card = SimpleNamespace(name="NVIDIA A100", major=major, minor=minor)
    if SPECIAL != "old":
        card.uuid = os.environ["CUDA_VISIBLE_DEVICES"].replace("GPU-", "")
    return card


def is_bf16_supported(including_emulation: bool = True) -> bool:
    return including_emulation or float(CAPABILITY) >= 8


def is_bf16_supported_once() -> bool:
    return float(CAPABILITY) >= 8


cuda = SimpleNamespace(
    is_available=is_available,
    init=init,
    get_device_properties=get_device_properties,
    is_bf16_supported=is_bf16_supported_once if SPECIAL == "old" else is_bf16_supported,
)


class Tensor:
    def __init__(self, values: Any, dtype: str, device: str) -> None:
        # numpy has no bfloat16: what is computed in float32 is near enough.
        self.values = numpy.asarray(values, dtype="float32" if dtype == bfloat16 else dtype)
        self.dtype, self.device = dtype, device

    def sum(self, dim: int) -> "Tensor":
        return Tensor(self.values.sum(axis=dim), self.dtype, self.device)

    def to(self, dtype: str) -> "Tensor":
        return Tensor(self.values, dtype, self.device)

    def cpu(self) -> "Tensor":
        return Tensor(self.values, self.dtype, "cpu")

    def numpy(self) -> Any:
        if SPECIAL == "apart":
            raise RuntimeError("Numpy is not available")
        return self.values

    def tolist(self) -> Any:
        if self.device != "cpu":
            raise AssertionError("the result was not brought to the CPU")
        return self.values.tolist()


def tensor(values: Any, dtype: Optional[str] = None, device: str = "cpu") -> Tensor:
    return Tensor(values, dtype or float32, device)


def zeros(size: int) -> Tensor:
    return Tensor([0.0] * size, float32, "cpu")


def matmul(first: Tensor, second: Tensor) -> Tensor:
    if first.dtype == float16 and first.device == "cpu":
        raise RuntimeError("\"addmm_impl_cpu_\" not implemented for 'Half'")
    return Tensor(numpy.matmul(first.values, second.values), first.dtype, first.device)


def conv2d(image: Tensor, kernel: Tensor) -> Tensor:
    windows = numpy.lib.stride_tricks.sliding_window_view(image.values, kernel.values.shape[2:], axis=(2, 3))
    result = numpy.einsum("bcyxij,ocij->boyx", windows, kernel.values)
    if SPECIAL == "nan" and image.dtype == bfloat16 and image.device != "cpu":
        result[0, 0, 0, 0] = numpy.nan
    return Tensor(result, image.dtype, image.device)


nn = SimpleNamespace(functional=SimpleNamespace(conv2d=conv2d))
