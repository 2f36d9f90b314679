"""Arrays that grow: many appends, and values that need more than 32 bits."""

from __future__ import annotations

import numpy as np
import pytest

from trueodds.automaton.growable_array import GrowableArray


def test_rows_are_kept_in_order() -> None:
    array = GrowableArray(np.int32, 2)
    for size in (0, 1, 3, 10, 100):
        start = array.rows.size
        array.extend(np.arange(start, start + 2 * size).reshape(size, 2))
    assert array.rows.ravel().tolist() == list(range(228))
    assert array.rows.dtype == np.int32


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1])
def test_a_value_beyond_32_bits_widens_the_array(value: int) -> None:
    array = GrowableArray(np.int32)
    array.extend(np.array([1, 2]))
    array.extend(np.array([value]))
    assert array.rows.tolist() == [1, 2, value]
    assert array.rows.dtype == np.int64


@pytest.mark.parametrize("value", [2**31 - 1, -(2**31)])
def test_a_value_within_32_bits_does_not(value: int) -> None:
    array = GrowableArray(np.int32)
    array.extend(np.array([value]))
    assert array.rows.tolist() == [value]
    assert array.rows.dtype == np.int32
