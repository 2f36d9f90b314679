"""The library: every strategy says what it plays and needs, plays where the page says it does, and stays small."""

from __future__ import annotations

import re

import pytest

from houses import BOOKS, default_dealer
from library_pairs import CODES, ROWS, books_of
from trueodds.chain import Automaton
from trueodds.strategy import StrategyError, named_strategy, read_strategy, strategy_names, strategy_text

SITUATIONS_MOST = 200_000


def test_there_are_enough_and_the_page_has_them_all() -> None:
    assert len(strategy_names()) >= 34
    assert set(ROWS) == set(strategy_names())


@pytest.mark.parametrize("name", strategy_names())
def test_where_a_strategy_plays_is_what_the_page_says(name: str) -> None:
    """Somewhere at least; and the situations can be written down."""
    plays = set()
    for book in BOOKS:
        try:
            automaton = Automaton(named_strategy(name), default_dealer(book).rules.house)
        except StrategyError:
            continue
        plays.add(book)
        assert len(automaton.after) <= SITUATIONS_MOST
    assert plays == set(books_of(name))
    assert plays


@pytest.mark.parametrize("name", strategy_names())
def test_a_strategy_says_what_it_needs(name: str) -> None:
    strategy = named_strategy(name)
    assert re.fullmatch(r"[A-Z].*; a bankroll of \d+\.", strategy.needs)
    assert ROWS[name][0] == strategy.needs
    assert read_strategy(strategy_text(name)).parts == strategy.parts


def test_most_play_in_several_books() -> None:
    several = [name for name, (_, where) in ROWS.items() if "," in where or where == "all five"]
    assert len(several) >= 0.8 * len(ROWS)
    assert all(any(code in where or where == "all five" for _, where in ROWS.values()) for code in CODES)
