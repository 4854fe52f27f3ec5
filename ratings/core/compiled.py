"""Kernels compiled with numba where it is installed, plain Python where it is not.

The live path never comes here: importing numba costs 0.2 s and 130 MB. A module is compiled as a whole: each of its
functions is taken over with globals in which every other kernel is the compiled one. The same source serves both.
"""

import hashlib
import importlib
import importlib.util
import inspect
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeGuard

_KERNELS = "ratings.core.kernels"


def available() -> bool:
    """Whether numba is installed."""
    return importlib.util.find_spec("numba") is not None


@cache
def compiled(module: ModuleType, cache_folder: Path | None = None) -> Any:
    """The kernels of `module`, compiled; `cache_folder` keeps machine code between processes.

    The cache stands under a name made from the source of all kernels, so that a change anywhere compiles anew.
    """
    numba = importlib.import_module("numba")
    if cache_folder is not None:
        numba.config.CACHE_DIR = str(cache_folder / _fingerprint())
    done: dict[FunctionType, Any] = {}
    functions = {name: value for name, value in vars(module).items() if _is_kernel(value)}
    for value in functions.values():
        _compile(value, numba, done, keep=cache_folder is not None)
    return SimpleNamespace(**{**vars(module), **{name: done[value] for name, value in functions.items()}})


def _compile(function: FunctionType, numba: Any, done: dict[FunctionType, Any], *, keep: bool) -> Any:
    """One function; what it calls is compiled first and put into its globals."""
    if function in done:
        return done[function]
    space = dict(function.__globals__)
    for name in function.__code__.co_names:
        callee = space.get(name)
        if _is_kernel(callee) and callee is not function:
            space[name] = _compile(callee, numba, done, keep=keep)
    copy = FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
    copy.__module__ = function.__module__
    copy.__qualname__ = function.__qualname__
    done[function] = numba.njit(cache=keep, error_model="numpy")(copy)
    return done[function]


def _is_kernel(value: object) -> TypeGuard[FunctionType]:
    return isinstance(value, FunctionType) and value.__module__.startswith(_KERNELS)


@cache
def _fingerprint() -> str:
    package = importlib.import_module(_KERNELS)
    folder = Path(inspect.getfile(package)).parent
    content = b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")))
    return hashlib.sha256(content).hexdigest()[:16]
