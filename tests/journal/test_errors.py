"""Exceptions of the journal: stable codes, pickling, and a common base."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from trueodds.errors import TrueoddsError
from trueodds.journal import DuplicateCommandError, InsufficientFundsError, JournalError, StaleSequenceError, errors

CLASSES = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, JournalError)]
PLAIN = [kind for kind in CLASSES if kind not in {DuplicateCommandError, InsufficientFundsError}]
SPECIAL = [
    StaleSequenceError("table t1 is at event 2, not 1", 3),
    InsufficientFundsError("p1", 500, 700, 2),
    DuplicateCommandError("c1", {"ok": True}, 1),
]


@pytest.mark.parametrize("error", [*(kind("what happened") for kind in PLAIN), *SPECIAL], ids=repr)
def test_every_exception_pickles(error: JournalError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  our own bytes
    assert type(again) is type(error)
    assert isinstance(again, TrueoddsError)
    assert str(again) == str(error)
    assert _attributes(again) == _attributes(error)


def _attributes(error: JournalError) -> dict[str, Any]:
    return vars(error)


def test_every_code_belongs_to_one_class() -> None:
    assert len({kind.code for kind in CLASSES}) == len(CLASSES)


def test_the_message_says_what_was_needed() -> None:
    assert str(InsufficientFundsError("p1", 500, 700)) == "p1 has 500 cents in the rack and needs 700"
