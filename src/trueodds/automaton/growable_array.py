"""A NumPy array that grows at its end without being copied each time."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

Scalar = TypeVar("Scalar", bound=np.generic)


class GrowableArray(Generic[Scalar]):
    """An array with amortized constant-time append.

    `rows` is a view that is valid until the next call of `extend`.

    >>> array = GrowableArray(np.int32, 2)
    >>> array.extend(np.array([[1, 2], [3, 4]]))
    >>> array.rows.tolist(), array.rows.dtype.name
    ([[1, 2], [3, 4]], 'int32')
    """

    def __init__(self, dtype: type[Scalar], *row_shape: int) -> None:
        self._buffer: npt.NDArray[Scalar] = np.zeros((0, *row_shape), dtype=dtype)
        self._count = 0

    def __repr__(self) -> str:
        return f"GrowableArray({self.rows!r})"

    @property
    def rows(self) -> npt.NDArray[Scalar]:
        """The rows appended so far."""
        return self._buffer[: self._count]

    @property
    def reserved_bytes(self) -> int:
        """The memory that the array takes, including room for more rows."""
        return self._buffer.nbytes

    def extend(self, rows: npt.NDArray[np.generic]) -> None:
        """Append rows. A 32-bit array becomes a 64-bit one when a value needs it."""
        self._widen_if_needed(rows)
        needed = self._count + len(rows)
        if needed > len(self._buffer):
            larger = np.zeros((max(needed, 2 * len(self._buffer)), *self._buffer.shape[1:]), dtype=self._buffer.dtype)
            larger[: self._count] = self.rows
            self._buffer = larger
        self._buffer[self._count : needed] = rows
        self._count = needed

    def _widen_if_needed(self, rows: npt.NDArray[np.generic]) -> None:
        if self._buffer.dtype == np.int32 and rows.size and not -(2**31) <= int(rows.min()) <= int(rows.max()) < 2**31:
            self._buffer = self._buffer.astype(np.int64)
