"""`watch`: a session roll by roll, against a table that repeats its actions and against the reference's totals."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import Any

import pytest

import trueodds
from support.sampling import sample
from support.strategy_books import ALL_PAIRS
from trueodds.automaton.calculation_errors import SessionError
from trueodds.craps_table import Table
from trueodds.dice import DiceError, Roll
from trueodds.money import MoneyError
from trueodds.notation import write_position
from trueodds.roll_sources import seeded_rolls
from trueodds.rulebook import House
from trueodds.sessions.reference import ReferencePlayer, RollsEndedError
from trueodds.sessions.session_limits import END_CAUSES, parse_limits
from trueodds.sessions.watch_session import watch
from trueodds.strategy import builtin_strategy
from trueodds.strategy.decision import PLAYER
from trueodds.table import Bet, Rolled, player_situation

LIMITS: dict[str, Any] = {"bankroll": 1000, "rolls": 60, "stop_win": 400, "stop_loss": 300}


@pytest.mark.parametrize(("book", "name"), sample(ALL_PAIRS, 12), ids=str)
def test_each_step_starts_where_the_step_before_ended(book: str, name: str) -> None:
    """Bets keep their tags, also while the session is closed out."""
    steps = list(watch(name, book, seeded_rolls(11), **LIMITS))
    for before, after in pairwise(steps):
        assert after.start.seats == before.position_after.seats


@pytest.mark.parametrize(("book", "name"), sample(ALL_PAIRS, 12), ids=str)
def test_a_table_that_repeats_the_actions_has_the_same_position_and_rack(book: str, name: str) -> None:
    table = Table(book, players=[PLAYER], buy_in=1000)
    for step in watch(name, book, seeded_rolls(11), **LIMITS):
        if step.ended_by is not None:
            break
        assert player_situation(step.start, PLAYER) == table.situation(PLAYER)
        for action in step.actions:
            table.do(action)
        assert player_situation(step.position, PLAYER) == table.situation(PLAYER), write_position(step.position)
        assert table.racks_cents[PLAYER] == step.rack_at_roll_cents
        assert step.roll is not None
        rolled, *others = events = table.roll(step.roll)
        assert isinstance(rolled, Rolled)
        assert not any(isinstance(event, Rolled) for event in others)
        assert [event.sentence for event in events] == [event.sentence for event in step.events]
        assert [each.sentence for each in step.settled] == [each.sentence for each in rolled.settled]
        assert table.racks_cents[PLAYER] == step.rack_cents
        assert player_situation(step.position_after, PLAYER) == table.situation(PLAYER)


@pytest.mark.parametrize(("book", "name"), sample(ALL_PAIRS, 12), ids=str)
def test_the_steps_add_up_to_the_session_of_the_reference(book: str, name: str) -> None:
    steps = list(watch(name, book, seeded_rolls(12), **LIMITS))
    limits = parse_limits(1000, 60, None, 400, 300, 1000)
    played = ReferencePlayer(builtin_strategy(name), House(book), limits).play(seeded_rolls(12))
    played_steps = [step for step in steps if step.ended_by is None]
    closing = steps[len(played_steps) :]
    assert [step.worth_at_roll_cents for step in played_steps] == played.worths_cents[1:-1]
    assert len(played_steps) == played.rolls
    assert sum(step.seven_out for step in played_steps) == played.hands
    assert {step.ended_by for step in closing} == {played.ended_by} <= set(END_CAUSES)
    assert closing[-1].roll is None
    assert closing[-1].rack_cents == played.worths_cents[-1]
    assert not closing[-1].position.seats[0].wagers
    assert not any(isinstance(action, Bet) for step in closing for action in step.actions)


def test_ruin_and_stops() -> None:
    *_, last = watch("pass", "nj", ["6-6"] * 3, bankroll=30)
    assert (last.ended_by, last.rack_cents) == ("ruin", 0)
    *_, last = watch("pass", "nj", ["3-4"] * 9, bankroll=100, stop_win=20)
    assert (last.ended_by, last.rack_cents) == ("stop_win", 12_000)
    *_, last = watch("pass", "nj", [Roll(4, 4), Roll(3, 4)], bankroll=100, shooters=1)
    assert (last.ended_by, last.rack_cents) == ("shooters", 9000)


def test_a_player_who_cannot_afford_the_bets_does_nothing() -> None:
    steps = list(watch("pass_345", "nj", ["4-4", "4-4"], bankroll=30, rolls=2))
    assert [len(step.actions) for step in steps[:2]] == [1, 0]


def test_rolls_that_end_first() -> None:
    steps = watch("pass", "nj", ["4-4"], bankroll=100)
    assert next(steps).rack_cents == 9000
    with pytest.raises(RollsEndedError, match="the rolls end before the session does"):
        next(steps)


def test_a_source_without_end_is_read_roll_by_roll() -> None:
    rolls = seeded_rolls(3)
    first = list(islice(watch("pass", "nj", rolls, bankroll=100), 5))
    assert [step.roll for step in first] == list(islice(seeded_rolls(3), 5))
    assert next(rolls) == list(islice(seeded_rolls(3), 6))[-1]


def test_wrong_arguments() -> None:
    with pytest.raises(MoneyError, match="bankroll must be positive, got -5"):
        watch("pass", "nj", [], bankroll=-5)
    with pytest.raises(SessionError, match="rolls must be an integer"):
        watch("pass", "nj", [], bankroll=100, rolls=0)
    with pytest.raises(DiceError):
        next(watch("pass", "nj", ["9-9"], bankroll=100))


def test_it_is_public() -> None:
    assert trueodds.watch is watch
