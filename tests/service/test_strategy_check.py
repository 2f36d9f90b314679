"""The strategy check agrees with compiling the whole strategy."""

from __future__ import annotations

import pytest

from support.houses import BOOKS
from trueodds.automaton import Automaton
from trueodds.rulebook import House, as_house
from trueodds.service.strategy_check import check_strategy
from trueodds.strategy import StrategyError, builtin_strategy

DEEP = ("molly", "come_345", "place_dont_come", "ats_molly", "fire_line", "put_6", "buy_4_10", "lay_4_10", "big_6_8")
"""Strategies allowed everywhere or not, refused at once or after some rolls."""


@pytest.mark.parametrize("book", BOOKS)
def test_the_check_finds_what_the_automaton_finds(book: str) -> None:
    house = as_house(book)
    found = {name: (_plays_by_tryout(name, house), _plays_by_automaton(name, house)) for name in DEEP}
    assert {name: by_tryout for name, (by_tryout, _) in found.items()} == {name: by for name, (_, by) in found.items()}


def test_strategies_differ_from_book_to_book() -> None:
    verdicts = {name: {_plays_by_tryout(name, as_house(book)) for book in BOOKS} for name in DEEP}
    assert {True, False} in verdicts.values()


def _plays_by_tryout(name: str, house: House) -> bool:
    try:
        check_strategy(builtin_strategy(name), house)
    except StrategyError:
        return False
    return True


def _plays_by_automaton(name: str, house: House) -> bool:
    try:
        Automaton(builtin_strategy(name), house, budget_bytes=1 << 26, lazy=True)
    except StrategyError:
        return False
    return True
