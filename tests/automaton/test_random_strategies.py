"""Strategies nobody would play, put together at random: chain and engine must agree on them, too."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from engine_sessions import Stops, play
from houses import default_dealer
from trueodds.chain import Automaton, ChainTooLargeError
from trueodds.dice import ROLLS, Roll
from trueodds.strategy import (
    Condition,
    Part,
    Strategy,
    StrategyError,
    always,
    bet,
    call,
    down,
    hits,
    just,
    keep,
    ladder,
    last,
    new_shooter,
    odds,
    point,
    points_made,
    press,
    puck_off,
    puck_on,
    regress,
    thrown,
    throws,
    up,
)
from trueodds.table import situation
from walk import walk

# The engine is asked so often here that tracing it line by line would take minutes and cover nothing new.
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
    st.builds(last, held, st.sampled_from(["win", "lose", "push"])),
    st.builds(just, held, st.sampled_from(["win", "lose", "push"])),
    st.builds(hits, held, st.integers(1, 2)),
    st.builds(lambda total, least: thrown(total, least=least), st.integers(2, 12), st.integers(1, 2)),
    st.builds(points_made, st.integers(1, 2)),
    st.builds(throws, st.integers(1, 3)),
)
conditions = st.one_of(
    simple,
    st.builds(lambda one, other: one & other, simple, simple),
    st.builds(lambda one, other: one | ~other, simple, simple),
)
moves = st.sampled_from([1, -1, 0, "start"])
amounts: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([12, 20, 30, 60]),
    st.builds(
        lambda win, lose, past_end, each: ladder(12, 24, 60, win=win, lose=lose, past_end=past_end, each_shooter=each),
        moves, moves, st.sampled_from(["stay", "start"]), st.booleans(),
    ),
)  # fmt: skip
kept: st.SearchStrategy[Part] = st.builds(
    lambda spot, amount, up_to: keep(bet(spot, amount), up_to), spots, amounts, st.integers(1, 2)
)
parts: st.SearchStrategy[Part] = st.builds(
    lambda part, condition: part.when(condition),
    st.one_of(
        kept,
        st.builds(odds, st.sampled_from(["full", "1x"])),
        st.builds(lambda what: press(what, by=12, up_to=48), st.sampled_from(["place:6", "hard", "pass_odds"])),
        st.builds(lambda what: regress(what, to=12), st.sampled_from(["place", "hard:8"])),
        st.builds(down, st.sampled_from(["place", "hard", "pass_odds", "come_odds", "field"])),
        st.builds(call, st.sampled_from(["place", "hard", "come_odds"]), st.sampled_from(["on", "off"])),
    ),
    conditions,
)
strategies = st.builds(
    lambda always_there, more: Strategy((*always_there, *more), "at random"),
    st.lists(kept, min_size=1, max_size=2),
    st.lists(parts, max_size=4),
)


@settings(max_examples=150)
@given(
    strategies, st.sampled_from(BOOKS), st.lists(st.sampled_from(ROLLS), min_size=40, max_size=40),
    st.sampled_from([1_200, 5_000, 20_000, 100_000]),
)  # fmt: skip
def test_chain_and_engine_agree(strategy: Strategy, book: str, dice: list[Roll], bankroll: int) -> None:
    dealer = default_dealer(book)
    try:
        automaton = Automaton(strategy, dealer.rules.house, budget=8_000_000)
    except (StrategyError, ChainTooLargeError):
        reject()  # too many of these and the test fails
    assume(automaton.cost.any())
    stops = Stops(bankroll + 20_000, bankroll - 50_000, 3)
    engine = play(dealer, strategy, bankroll, iter(dice), len(dice), stops)
    walked = walk(automaton, bankroll, iter(dice), len(dice), stops)
    assert [(state.over, state.rack) for state in engine] == [(over, rack) for _, over, rack in walked]
    for state, (number, over, _) in zip(engine, walked, strict=True):
        seen = automaton.situation(number, "before" if over else "after")
        assert situation(state.position, "player").wagers == seen.wagers
