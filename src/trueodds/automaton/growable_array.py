"""An array that grows at its end without being copied each time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class Growing:
    """Rows that are added to; `rows` is a view of those there are, good until the next are added.

    >>> found = Growing(np.int32, 2)
    >>> found.add(np.array([[1, 2], [3, 4]]))
    >>> found.rows.tolist(), found.rows.dtype.name
    ([[1, 2], [3, 4]], 'int32')
    """

    def __init__(self, kind: npt.DTypeLike, *width: int) -> None:
        self._held: npt.NDArray[Any] = np.zeros((0, *width), dtype=kind)
        self._count = 0

    @property
    def rows(self) -> npt.NDArray[Any]:
        """What there is."""
        return self._held[: self._count]

    def add(self, rows: npt.NDArray[Any]) -> None:
        """Append rows; where whole numbers do not fit into 32 bits any more, all of them get 64."""
        self._widen(rows)
        need = self._count + len(rows)
        if need > len(self._held):
            grown = np.zeros((max(need, 2 * len(self._held)), *self._held.shape[1:]), dtype=self._held.dtype)
            grown[: self._count] = self.rows
            self._held = grown
        self._held[self._count : need] = rows
        self._count = need

    def _widen(self, rows: npt.NDArray[Any]) -> None:
        if self._held.dtype == np.int32 and rows.size and not -(2**31) <= int(rows.min()) <= int(rows.max()) < 2**31:
            self._held = self._held.astype(np.int64)
