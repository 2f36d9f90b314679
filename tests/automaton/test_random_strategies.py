"""Random strategies, on which the automaton and the engine must agree."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from support.automaton_walk import walk_automaton
from support.houses import default_house_dealer
from support.table_sessions import TableStops, play
from trueodds.automaton import Automaton, TooManyStatesError
from trueodds.dice import ROLLS, Roll
from trueodds.strategy import (
    Condition,
    Play,
    Strategy,
    StrategyError,
    always,
    bet,
    call,
    hits,
    keep,
    ladder,
    last_result,
    last_roll_result,
    new_shooter,
    odds,
    point,
    points_made,
    press,
    puck_off,
    puck_on,
    regress,
    rolls,
    take_down,
    totals_rolled,
    up,
)
from trueodds.table import player_situation

# Line coverage of the engine calls made here would take minutes and add nothing.
pytestmark = pytest.mark.no_cover

BOOKS = ("maryland", "new_jersey", "rws", "south_dakota")
SPOTS = (
    "pass", "dont_pass", "come", "dont_come", "place:6", "place:8", "hard:8", "field", "any7", "horn", "fire",
    "hop:2-5",
)  # fmt: skip
spots = st.sampled_from(SPOTS)
held = st.sampled_from(("pass", "come", "place", "place:6", "hard", "dont_come", "pass_odds", "come_odds"))

simple: st.SearchStrategy[Condition] = st.one_of(
    st.sampled_from([always, puck_on, puck_off, new_shooter]),
    st.builds(point, st.sampled_from([4, 6, 8, 9])),
    st.builds(up, held, st.integers(1, 2)),
    st.builds(last_result, held, st.sampled_from(["win", "lose", "push"])),
    st.builds(last_roll_result, held, st.sampled_from(["win", "lose", "push"])),
    st.builds(hits, held, st.integers(1, 2)),
    st.builds(lambda total, least: totals_rolled(total, at_least=least), st.integers(2, 12), st.integers(1, 2)),
    st.builds(points_made, st.integers(1, 2)),
    st.builds(rolls, st.integers(1, 3)),
)
conditions = st.one_of(
    simple,
    st.builds(lambda first, second: first & second, simple, simple),
    st.builds(lambda first, second: first | ~second, simple, simple),
)
moves = st.sampled_from([1, -1, 0, "start"])
amounts: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([12, 20, 30, 60]),
    st.builds(
        lambda win, lose, past_end, restart: ladder(
            12, 24, 60, win=win, lose=lose, past_end=past_end, restart_each_shooter=restart
        ),
        moves, moves, st.sampled_from(["stay", "start"]), st.booleans(),
    ),
)  # fmt: skip
kept: st.SearchStrategy[Play] = st.builds(
    lambda spot, amount, up_to: keep(bet(spot, amount), up_to), spots, amounts, st.integers(1, 2)
)
plays: st.SearchStrategy[Play] = st.builds(
    lambda play, condition: play.when(condition),
    st.one_of(
        kept,
        st.builds(odds, st.sampled_from(["full", "1x"])),
        st.builds(lambda what: press(what, by=12, up_to=48), st.sampled_from(["place:6", "hard", "pass_odds"])),
        st.builds(lambda what: regress(what, to=12), st.sampled_from(["place", "hard:8"])),
        st.builds(take_down, st.sampled_from(["place", "hard", "pass_odds", "come_odds", "field"])),
        st.builds(call, st.sampled_from(["place", "hard", "come_odds"]), st.sampled_from(["on", "off"])),
    ),
    conditions,
)
strategies = st.builds(
    lambda bets, more: Strategy((*bets, *more), "random"),
    st.lists(kept, min_size=1, max_size=2),
    st.lists(plays, max_size=4),
)


@settings(max_examples=150)
@given(
    strategies, st.sampled_from(BOOKS), st.lists(st.sampled_from(ROLLS), min_size=40, max_size=40),
    st.sampled_from([1_200, 5_000, 20_000, 100_000]),
)  # fmt: skip
def test_automaton_and_engine_agree(strategy: Strategy, book: str, dice: list[Roll], bankroll: int) -> None:
    dealer = default_house_dealer(book)
    try:
        automaton = Automaton(strategy, dealer.rules.house, budget_bytes=8_000_000)
    except (StrategyError, TooManyStatesError):
        reject()  # Hypothesis fails the test if this happens too often
    assume(automaton.cost_cents.any())
    stops = TableStops(bankroll + 20_000, bankroll - 50_000, 3)
    engine = play(dealer, strategy, bankroll, iter(dice), len(dice), stops)
    walked = walk_automaton(automaton, bankroll, iter(dice), len(dice), stops)
    assert [(state.ended_by, state.rack) for state in engine] == [(over, rack) for _, over, rack in walked]
    for state, (number, over, _) in zip(engine, walked, strict=True):
        seen = automaton.situation(number, "before" if over else "after")
        assert player_situation(state.position, "player").wagers == seen.wagers
