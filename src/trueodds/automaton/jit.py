"""Hot loops: compiled by Numba where it is installed, left as they are where it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from trueodds.chain.optional import optional

F = TypeVar("F", bound=Callable[..., Any])

numba = optional("numba")


def compiled(function: F) -> F:
    """Compile a hot loop once and keep it on disk; without Numba leave it as it is."""
    made: F = function if numba is None else numba.njit(cache=True, nogil=True)(function)
    return made


def inlined(function: F) -> F:
    """Compile a small step into whatever calls it: a call that hands an array over costs as much as several throws."""
    made: F = function if numba is None else numba.njit(inline="always")(function)
    return made
