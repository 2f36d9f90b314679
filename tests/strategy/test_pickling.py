"""Strategies and their exceptions survive pickling, also into another process."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from support.houses import default_house_dealer
from trueodds.automaton import Automaton
from trueodds.errors import TrueoddsError
from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.strategy import (
    DecisionStep,
    MakeBet,
    Pass,
    PlayerView,
    RollOutcome,
    Strategy,
    StrategyError,
    StrategyFileError,
    StrategyRefusedError,
    always,
    builtin_strategy,
    builtin_strategy_names,
    keep,
    parse_strategy,
    puck_on,
    strategy_from_function,
)


def field_after_a_loss(_view: PlayerView, lost: bool) -> Iterable[DecisionStep]:
    return [MakeBet(Spot("field"), stake_cents=Cents(3000 if lost else 1000))]


def remember_loss(lost: bool, outcome: RollOutcome) -> bool:
    results = outcome.results(Spot("field"))
    return results[0] == "lose" if results else lost


def count_situations(strategy: Strategy) -> int:
    return len(Automaton(strategy, default_house_dealer("maryland").rules.house).after_betting)


@pytest.mark.parametrize("name", builtin_strategy_names())
def test_builtin_strategies_pickle(name: str) -> None:
    strategy = builtin_strategy(name)
    copy = pickle.loads(pickle.dumps(strategy))  # noqa: S301  our own data
    assert copy == strategy
    assert [play.source for play in copy.plays] == [play.source for play in strategy.plays]


def test_unpickled_play_without_a_condition_accepts_one() -> None:
    """The condition of an unpickled play is not the object `always`, but equal to it."""
    copy = pickle.loads(pickle.dumps(keep(Pass(10))))  # noqa: S301  our own data
    assert copy.condition == always
    assert copy.when(puck_on) == keep(Pass(10)).when(puck_on)


def test_strategies_in_another_process() -> None:
    strategies = [builtin_strategy("molly"), strategy_from_function(field_after_a_loss, remember_loss, False)]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert list(pool.map(count_situations, strategies)) == [count_situations(strategy) for strategy in strategies]


def errors() -> list[TrueoddsError]:
    with pytest.raises(StrategyFileError) as invalid:
        parse_strategy("[[play]]\nkeep = 'pass'\nstake = 0", "mine.toml")
    with pytest.raises(StrategyRefusedError) as refused:
        Automaton(builtin_strategy("pass_345"), default_house_dealer("win_line").rules.house)
    return [StrategyError("a message"), invalid.value, refused.value]


def test_errors_pickle() -> None:
    for error in errors():
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301  our own data
        assert type(copy) is type(error)
        assert (str(copy), vars(copy)) == (str(error), vars(error))
