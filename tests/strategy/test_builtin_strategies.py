"""The built-in strategies: each is documented, is allowed where the page says, and stays small."""

from __future__ import annotations

import re

import pytest

from support.houses import BOOKS, default_house_dealer
from support.sampling import sample
from support.strategy_books import BOOK_BY_CODE, TABLE_ROWS, books_allowing
from trueodds.automaton import Automaton
from trueodds.strategy import (
    StrategyError,
    builtin_strategy,
    builtin_strategy_names,
    builtin_strategy_text,
    parse_strategy,
)

MAX_SITUATIONS = 200_000


def test_the_page_lists_every_builtin() -> None:
    assert len(builtin_strategy_names()) >= 60
    assert set(TABLE_ROWS) == set(builtin_strategy_names())


@pytest.mark.parametrize("name", sample(builtin_strategy_names(), 20))
def test_the_page_lists_the_books_that_allow_a_strategy(name: str) -> None:
    allowed = set()
    for book in BOOKS:
        try:
            automaton = Automaton(builtin_strategy(name), default_house_dealer(book).rules.house)
        except StrategyError:
            continue
        allowed.add(book)
        assert len(automaton.after_betting) <= MAX_SITUATIONS
    assert allowed == set(books_allowing(name))
    assert allowed


@pytest.mark.parametrize("name", builtin_strategy_names())
def test_needs_end_with_a_bankroll(name: str) -> None:
    strategy = builtin_strategy(name)
    assert re.fullmatch(r"[A-Z0-9].*; a bankroll of \$[\d,]+\.", strategy.needs)
    assert TABLE_ROWS[name][0] == strategy.needs
    assert parse_strategy(builtin_strategy_text(name)).plays == strategy.plays


def test_most_strategies_are_allowed_in_several_books() -> None:
    several = [name for name, (_, where) in TABLE_ROWS.items() if "," in where or where == "all five"]
    assert len(several) >= 0.8 * len(TABLE_ROWS)
    assert all(any(code in where or where == "all five" for _, where in TABLE_ROWS.values()) for code in BOOK_BY_CODE)


@pytest.mark.parametrize("name", builtin_strategy_names())
def test_every_builtin_has_a_name_and_a_description(name: str) -> None:
    strategy = builtin_strategy(name)
    assert strategy.name
    assert strategy.about.endswith(".")


def test_unknown_builtin_name() -> None:
    with pytest.raises(StrategyError, match="no built-in strategy is called 'nobody'; the names are"):
        builtin_strategy("nobody")
