"""How each library computes, on the device that is asked for and on no other; what it knows of it goes into the facts."""
import importlib.util
import os
import re
from typing import Any, Callable, Dict, Tuple

from witness_problems import Problem

LIBRARIES = ("torch", "jax", "cupy", "numpy")


class Refused(Exception):
    """The library does not compute what it was asked for, where it was asked for; the words are for people."""


class Library:
    """How one library computes: an array of a type, the three operations, and the result as plain lists."""

    def __init__(self, halves: Tuple[str, ...], make: Callable, read: Callable, **operations: Callable) -> None:
        self.halves = halves
        self.make = make
        self.read = read
        self.operations = operations

    def compute(self, problem: Problem, kind: str) -> Any:
        first, second = (self.make(values, kind) for values in problem.inputs)
        return self.read(self.operations[problem.name](first, second))


def load_library(name: str, device: str, facts: Dict[str, Any]) -> Library:
    """The library of this name, or for `auto` the first that is installed. Raises Refused, and what its import raises."""
    facts["library"] = find_library() if name == "auto" else name
    return LOADERS[facts["library"]](device, facts)


def find_library() -> str:
    for name in LIBRARIES:
        if importlib.util.find_spec(name) is not None:
            return name
    raise Refused("none of %s is installed" % ", ".join(LIBRARIES))


def load_torch(device: str, facts: Dict[str, Any]) -> Library:
    import torch

    facts.update(version=str(torch.__version__), cuda=torch.version.cuda)
    halves = ("float16", "bfloat16")
    if device == "gpu":
        if not torch.cuda.is_available():
            raise Refused("torch %s sees no GPU: %s" % (torch.__version__, explain_torch(torch)))
        card = torch.cuda.get_device_properties(0)
        uuid = getattr(card, "uuid", None)  # since torch 2.4
        facts.update(name=card.name, uuid=None if uuid is None else str(uuid))
        facts.update(capability="%d.%d" % (card.major, card.minor))
        halves = keep_halves((card.major, card.minor), has_bfloat16(torch))
    if importlib.util.find_spec("numpy") is not None:
        torch.zeros(1).numpy()  # fails beside a numpy that this torch was not built for, where most programs would, too
    target = torch.device("cuda:0" if device == "gpu" else "cpu")
    return Library(
        halves,
        make=lambda values, kind: torch.tensor(values, dtype=getattr(torch, kind), device=target),
        read=lambda result: result.to(torch.float32).cpu().tolist(),
        matmul=torch.matmul,
        conv2d=torch.nn.functional.conv2d,
        sum=lambda rows, _: rows.sum(dim=1),
    )


def explain_torch(torch: Any) -> str:
    if torch.version.cuda is None and getattr(torch.version, "hip", None) is None:
        return "it was built without CUDA"
    try:
        torch.cuda.init()
    except Exception as fault:
        return str(fault)
    return "CUDA does not start"


def has_bfloat16(torch: Any) -> bool:
    """By the card itself: newer releases also say yes where it is only emulated."""
    try:
        return torch.cuda.is_bf16_supported(including_emulation=False)
    except TypeError:
        return torch.cuda.is_bf16_supported()


def keep_halves(capability: Tuple[int, int], bfloat16: bool) -> Tuple[str, ...]:
    halves = ("float16",) if capability >= (5, 3) else ()
    return halves + (("bfloat16",) if bfloat16 else ())


def load_jax(device: str, facts: Dict[str, Any]) -> Library:
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # by itself it takes three quarters of the card
    if device == "cpu":
        os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import jax.numpy as jnp

    facts.update(version=jax.__version__)
    try:
        target = jax.devices(device)[0]
    except RuntimeError as fault:
        raise Refused("jax %s sees no %s: %s" % (jax.__version__, device.upper(), fault))
    halves = ("float16", "bfloat16")
    if device == "gpu":
        capability = re.match(r"(\d+)\.(\d+)$", str(getattr(target, "compute_capability", "")))
        built = re.search(r"cuda (\d+)", str(getattr(target.client, "platform_version", "")))
        facts.update(name=target.device_kind, cuda=format_cuda(int(built.group(1))) if built else None)
        if capability is not None:
            facts.update(capability=capability.group(0))
            major, minor = int(capability.group(1)), int(capability.group(2))
            halves = keep_halves((major, minor), major >= 8)
    return Library(
        halves,
        make=lambda values, kind: jax.device_put(jnp.asarray(values, dtype=getattr(jnp, kind)), target),
        read=lambda result: jax.device_get(result.astype(jnp.float32)).tolist(),
        matmul=jnp.matmul,
        conv2d=lambda image, kernel: jax.lax.conv(image, kernel, (1, 1), "VALID"),
        sum=lambda rows, _: jnp.sum(rows, axis=1),
    )


def load_cupy(device: str, facts: Dict[str, Any]) -> Library:
    if device != "gpu":
        raise Refused("cupy computes on GPUs alone")
    import cupy

    runtime = cupy.cuda.runtime
    facts.update(version=cupy.__version__)
    try:
        count = runtime.getDeviceCount()
    except runtime.CUDARuntimeError as fault:
        raise Refused("cupy %s sees no GPU: %s" % (cupy.__version__, fault))
    if count == 0:
        raise Refused("cupy %s sees no GPU" % cupy.__version__)
    card = runtime.getDeviceProperties(0)
    name, uuid = card["name"], card.get("uuid")  # bytes, the second since CUDA 10
    facts.update(name=name.decode() if isinstance(name, bytes) else name, cuda=format_cuda(runtime.runtimeGetVersion()))
    facts.update(uuid=uuid.hex() if isinstance(uuid, bytes) else None)
    facts.update(capability="%d.%d" % (card["major"], card["minor"]))
    return make_array_library(cupy, keep_halves((card["major"], card["minor"]), False))


def load_numpy(device: str, facts: Dict[str, Any]) -> Library:
    if device != "cpu":
        raise Refused("numpy computes on processors alone")
    import numpy

    facts.update(version=numpy.__version__)
    return make_array_library(numpy, ("float16",))


def make_array_library(module: Any, halves: Tuple[str, ...]) -> Library:
    """numpy, and what is called as it is: neither has a convolution of its own, so it is a sum of products."""

    def conv2d(image: Any, kernel: Any) -> Any:
        reach, size = kernel.shape[2], image.shape[2] - kernel.shape[2] + 1
        offsets = [(dy, dx) for dy in range(reach) for dx in range(reach)]
        parts = (
            module.tensordot(image[:, :, dy : dy + size, dx : dx + size], kernel[:, :, dy, dx], axes=([1], [1]))
            for dy, dx in offsets
        )
        return sum(parts).transpose(0, 3, 1, 2)

    return Library(
        halves,
        make=lambda values, kind: module.asarray(values, dtype=getattr(module, kind)),
        read=lambda result: result.astype(module.float32).tolist(),
        matmul=module.matmul,
        conv2d=conv2d,
        sum=lambda rows, _: rows.sum(axis=1),
    )


def format_cuda(version: int) -> str:
    return "%d.%d" % (version // 1000, version % 1000 // 10)


LOADERS = {"torch": load_torch, "jax": load_jax, "cupy": load_cupy, "numpy": load_numpy}
