"""Libraries that make things faster where they are installed, and are done without where they are not."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def optional(name: str) -> Any:
    """Give a module, or None where it is not installed.

    >>> optional("no_such_library") is None
    True
    """
    try:
        return import_module(name)
    except ImportError:
        return None


numba = optional("numba")


def compiled(function: F) -> F:
    """Compile a hot loop once and keep it on disk; without Numba leave it as it is."""
    made: F = function if numba is None else numba.njit(cache=True, nogil=True)(function)
    return made


def inlined(function: F) -> F:
    """Compile a small step into whatever calls it: a call that hands an array over costs as much as several throws."""
    made: F = function if numba is None else numba.njit(inline="always")(function)
    return made
