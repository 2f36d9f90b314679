"""Refusals and the other exceptions of the engine and the notation."""

from __future__ import annotations

import pickle

import pytest

from trueodds.craps_table import Table
from trueodds.errors import TrueoddsError
from trueodds.notation import HistoryError, NotationError
from trueodds.table import ActionError, RefusalCode, Refused
from trueodds.table.apply_event import EventError
from trueodds.table.position import PositionError


def test_a_refusal_has_a_code_a_clause_and_a_sentence() -> None:
    table = Table("new_jersey", ["Ann"])
    with pytest.raises(Refused) as caught:
        table.bet("Ann", "pass", 5)
    assert caught.value.code is RefusalCode.BELOW_MIN
    assert str(caught.value).startswith("Pass for $5 is below the table minimum of $")
    assert caught.value.refusal.cite
    assert str(caught.value).endswith("house option min_bet")


@pytest.mark.parametrize(
    "make", [ActionError, EventError, PositionError, NotationError, lambda text: HistoryError(7, text)]
)
def test_exceptions_have_one_base_and_pickle(make: type[TrueoddsError]) -> None:
    error = make("stake must be positive, got -5")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  our own
    assert isinstance(again, TrueoddsError)
    assert isinstance(again, ValueError)
    assert (type(again), str(again)) == (type(error), str(error))
    assert "got -5" in str(again)


def test_a_refused_action_pickles_with_its_refusal() -> None:
    with pytest.raises(Refused) as caught:
        Table("rws", ["Ann"]).bet("Ann", "come", 25)
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  our own
    assert (again.refusal, str(again)) == (caught.value.refusal, str(caught.value))
