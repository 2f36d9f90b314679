"""The errors of the calculating rooms: one base class, and messages that survive pickling."""

from __future__ import annotations

import pickle

import pytest

from trueodds import TrueoddsError
from trueodds.automaton import calculation_errors
from trueodds.automaton.calculation_errors import CalculationError

ERRORS = [
    value
    for value in vars(calculation_errors).values()
    if isinstance(value, type) and issubclass(value, CalculationError)
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_errors_have_a_common_base_and_pickle(error: type[CalculationError]) -> None:
    assert issubclass(error, TrueoddsError)
    assert issubclass(error, ValueError)
    copy = pickle.loads(pickle.dumps(error("rolls must be positive, got 0")))  # noqa: S301  made here
    assert type(copy) is error
    assert str(copy) == "rolls must be positive, got 0"
