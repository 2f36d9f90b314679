"""Types of the NumPy arrays that the automaton and its users share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Int64Array = npt.NDArray[np.int64]

IntArray = npt.NDArray[np.integer[Any]]
"""Integers of 32 bits, or of 64 where the values need them."""

BoolArray = npt.NDArray[np.bool_]
