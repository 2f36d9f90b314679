"""A tryout says what compiling the whole strategy says."""

from __future__ import annotations

import pytest

from houses import BOOKS
from trueodds.chain import Automaton
from trueodds.rulebook import House, open_house
from trueodds.service.tryout import try_out
from trueodds.strategy import StrategyError, named_strategy

DEEP = ("molly", "come_345", "place_dont_come", "ats_molly", "fire_line", "put_6", "buy_4_10", "lay_4_10", "big_6_8")
"""Played everywhere or not, refused at once or after some throws."""


@pytest.mark.parametrize("book", BOOKS)
def test_a_tryout_tells_as_much_as_the_automaton(book: str) -> None:
    house = open_house(book)
    found = {name: (_plays_by_tryout(name, house), _plays_by_automaton(name, house)) for name in DEEP}
    assert {name: by_tryout for name, (by_tryout, _) in found.items()} == {name: by for name, (_, by) in found.items()}


def test_they_differ_from_book_to_book() -> None:
    verdicts = {name: {_plays_by_tryout(name, open_house(book)) for book in BOOKS} for name in DEEP}
    assert {True, False} in verdicts.values()


def _plays_by_tryout(name: str, house: House) -> bool:
    try:
        try_out(named_strategy(name), house)
    except StrategyError:
        return False
    return True


def _plays_by_automaton(name: str, house: House) -> bool:
    try:
        Automaton(named_strategy(name), house, budget=1 << 26, lazy=True)
    except StrategyError:
        return False
    return True
