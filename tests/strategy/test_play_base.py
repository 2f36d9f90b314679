"""Strategies and functions: sums, names, memories, and mistakes in Python code."""

from __future__ import annotations

from typing import Any

import pytest

from support.houses import default_house_dealer
from trueodds.automaton import Automaton
from trueodds.money import Cents, MoneyError
from trueodds.rulebook import Spot
from trueodds.strategy import (
    Come,
    MakeBet,
    Pass,
    Strategy,
    StrategyError,
    across,
    builtin_strategy,
    keep,
    ladder,
    odds,
    point,
    press,
    puck_on,
    strategy_from_function,
)

MARYLAND = default_house_dealer("maryland")


def test_name_of_a_sum() -> None:
    assert (keep(Pass(10)) + keep(Come(10))).name == "the strategy"
    assert (builtin_strategy("pass") + keep(Come(10))).name == "Pass line and more"
    assert (builtin_strategy("pass") + builtin_strategy("horn")).name == "Pass line and Horn"
    assert across({6: 12, 8: 12}).when(puck_on).plays[1].condition == puck_on


def test_invalid_arguments() -> None:
    with pytest.raises(StrategyError, match="must have at least one play"):
        Strategy(())
    with pytest.raises(StrategyError, match=r"keep takes a bet such as Pass\(10\)"):
        keep("pass")  # type: ignore[arg-type]
    with pytest.raises(MoneyError):
        Pass(0)
    with pytest.raises(MoneyError, match=r"stake must be whole dollars.*, got the float 10\.0"):
        Pass(10.0)  # type: ignore[arg-type]
    with pytest.raises(StrategyError, match="needs either to or by"):
        press("place:6", to=12, by=6, up_to=18)
    with pytest.raises(StrategyError, match="must have from 1 to 200 rungs, got 0"):
        ladder()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: keep(Pass(10)) + 5, "a strategy is made of plays"),  # type: ignore[operator]
        (lambda: keep(Pass(10)) + Come(10), "a strategy is made of plays"),  # type: ignore[operator]
        (lambda: keep(Pass(10)).when(True), "expected a condition such as"),  # type: ignore[arg-type]
        (lambda: puck_on & "x", "expected a condition such as"),  # type: ignore[operator]
        (lambda: puck_on | 3, "expected a condition such as"),  # type: ignore[operator]
        (lambda: puck_on and point(6), "combine conditions with &"),
        (lambda: odds({}), "odds by number must be whole multiples"),
        (lambda: odds("\u0663x"), "odds must be"),
        (lambda: strategy_from_function(lambda _v, _m: [], lambda _m, _o: [], 0), None),  # type: ignore[arg-type,return-value]
    ],
)
def test_typing_mistakes(make: Any, message: str | None) -> None:
    if message is None:
        with pytest.raises(StrategyError, match="a memory must be hashable"):
            Automaton(make(), MARYLAND.rules.house)
        return
    with pytest.raises(StrategyError, match=message):
        make()


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (None, "must return a list of steps"),
        (MakeBet(Spot("field"), stake_cents=Cents(1000)), "must return a list of steps"),
        ([MakeBet("field", stake_cents=1000)], "invalid step"),  # type: ignore[arg-type]
        ([MakeBet(Spot("field"), stake_cents=Cents(-5))], "invalid step"),
        ([MakeBet(Spot("field"), stake_cents=1.5)], "invalid step"),  # type: ignore[arg-type]
    ],
)
def test_functions_that_return_invalid_steps(steps: Any, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        Automaton(strategy_from_function(lambda _view, _memory: steps), MARYLAND.rules.house)


def test_function_memory_can_start_as_none() -> None:
    strategy = strategy_from_function(
        lambda _view, seen: [MakeBet(Spot("field"), stake_cents=Cents(3000 if seen else 1000))],
        lambda _memory, _outcome: "a roll",
    )
    assert sorted(set(Automaton(strategy, MARYLAND.rules.house).cost_cents.tolist())) == [1000, 3000]
