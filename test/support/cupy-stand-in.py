"""Stands in for cupy in tests: arrays are numpy's, cards are those that nvidia-smi lists and CUDA_VISIBLE_DEVICES shows.

The file cupy-fault in $FAKE_NVIDIA_DIR names what goes wrong: a product is all NaN (nan), off by a tenth (wrong), never
comes (hang), has no kernel (no_kernel), ends the process (crash); there is no driver (no_driver); another card computes
than was asked for (other_card); importing it prints a sentinel of its own and ends with 0 (forged).
"""
import os
import subprocess
import time
from types import SimpleNamespace
from typing import Any, Dict, List

import numpy
from numpy import asarray, float16, float32, tensordot

__version__ = "13.0.0"
__all__ = ["asarray", "cuda", "float16", "float32", "matmul", "tensordot"]


class CUDARuntimeError(RuntimeError):
    pass


def read_fault() -> str:
    try:
        with open(os.path.join(os.environ.get("FAKE_NVIDIA_DIR", "/nonexistent"), "cupy-fault")) as file:
            return file.read().strip()
    except OSError:
        return ""


def list_cards() -> List[List[str]]:
    asked = ["nvidia-smi", "--query-gpu=uuid,name", "--format=csv,noheader"]
    lines = subprocess.run(asked, stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout.splitlines()
    cards = [line.split(", ") for line in lines]
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    return cards if visible is None else [card for card in cards if card[0] in visible.split(",")]


def get_device_count() -> int:
    if read_fault() == "no_driver":
        raise CUDARuntimeError(
            "cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime version"
        )
    count = len(list_cards())
    if count == 0:
        raise CUDARuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")
    return count


def get_device_properties(index: int) -> Dict[str, Any]:
    uuid, name = list_cards()[index]
    digits = uuid[len("GPU-") :].replace("-", "")
    if read_fault() == "other_card":
        digits = "f" * 32
    return {"name": name.encode(), "uuid": bytes.fromhex(digits), "major": 8, "minor": 0}


def matmul(first: Any, second: Any) -> Any:
    fault = read_fault()
    if fault == "hang":
        time.sleep(600)
    if fault == "no_kernel":
        raise CUDARuntimeError(
            "cudaErrorNoKernelImageForDevice: no kernel image is available for execution on the device"
        )
    if fault == "crash":
        os.abort()
    product = numpy.matmul(first, second)
    if fault == "nan":
        product[:] = numpy.nan
    return product * product.dtype.type(1.1) if fault == "wrong" else product


cuda = SimpleNamespace(
    runtime=SimpleNamespace(
        CUDARuntimeError=CUDARuntimeError,
        getDeviceCount=get_device_count,
        getDeviceProperties=get_device_properties,
        runtimeGetVersion=lambda: 12020,
    )
)

if read_fault() == "forged":
    os.write(1, b"SORTIE-WITNESS forged ok\n")
    os._exit(0)
