"""Decorators that compile hot loops with Numba, if it is installed, and otherwise leave them as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from trueodds.automaton.optional_import import optional_import

F = TypeVar("F", bound=Callable[..., object])

numba = optional_import("numba")


def jit(function: F) -> F:
    """Compile a function on its first call and cache the machine code on disk."""
    compiled: F = function if numba is None else numba.njit(cache=True, nogil=True)(function)
    return compiled


def jit_inline(function: F) -> F:
    """Compile a function into its callers, because a call that passes an array costs as much as several rolls."""
    compiled: F = function if numba is None else numba.njit(inline="always")(function)
    return compiled
