"""Random progressions, limits and stops: the compiled strategy makes the same bets as the engine, roll by roll."""

from __future__ import annotations

from typing import Any

from hypothesis import given, reject, settings
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
    ahead,
    bet,
    decisions,
    grind,
    keep,
    ladder,
    losses,
    odds,
    parlay,
    puck_on,
    stopped,
)
from trueodds.table import player_situation

SPOTS = ("pass", "dont_pass", "field", "place:6", "hard:8", "come", "any_craps")
spots = st.sampled_from(SPOTS)
kinds = st.sampled_from(("pass", "field", "place", "hard", "come", "dont_pass"))
stops = st.integers(12, 40)
amounts: st.SearchStrategy[Any] = st.one_of(
    st.just(12),
    st.builds(parlay, st.just(12), st.integers(2, 3), st.sampled_from([50, 100]), st.just(6)),
    st.builds(lambda give_up: grind(12, give_up=12 * give_up), st.integers(1, 5)),
    st.builds(
        lambda what, each: ladder(12, 24, 36, win=1, lose=-1, follow=what, restart_each_shooter=each),
        kinds,
        st.booleans(),
    ),
)
conditions: st.SearchStrategy[Condition] = st.one_of(
    st.just(puck_on),
    st.builds(losses, kinds, st.integers(1, 2)),
    st.builds(decisions, kinds, st.integers(1, 3)),
    st.builds(lambda what, win, lose: stopped(what, win=win, lose=lose), kinds, stops, stops),
    st.builds(lambda what, by: ahead(what, by=by, limit=60), kinds, st.integers(-40, 40)),
)
plays: st.SearchStrategy[Play] = st.builds(
    lambda spot, amount, condition, barred: keep(bet(spot, amount)).when(~condition if barred else condition),
    spots, amounts, conditions, st.booleans(),
)  # fmt: skip
strategies = st.builds(
    lambda first, more, laid: Strategy((keep(bet("field", 12)), first, *more, *laid), "at random"),
    plays,
    st.lists(plays, max_size=2),
    st.lists(st.builds(odds, st.sampled_from(["win 1x", "win 2x"]), st.just(["dont_pass"])), max_size=1),
)


@settings(max_examples=60)
@given(
    strategies, st.sampled_from(["maryland", "rws", "south_dakota"]),
    st.lists(st.sampled_from(ROLLS), min_size=40, max_size=40), st.sampled_from([2_400, 8_000, 100_000]),
)  # fmt: skip
def test_compiled_strategy_matches_engine(strategy: Strategy, book: str, dice: list[Roll], bankroll: int) -> None:
    dealer = default_house_dealer(book)
    try:
        automaton = Automaton(strategy, dealer.rules.house, budget_bytes=16_000_000)
    except (StrategyError, TooManyStatesError):
        reject()  # Hypothesis fails the test if it rejects too many
    engine = play(dealer, strategy, bankroll, iter(dice), len(dice), TableStops())
    walked = walk_automaton(automaton, bankroll, iter(dice), len(dice), TableStops())
    assert [(state.ended_by, state.rack) for state in engine] == [(over, rack) for _, over, rack in walked]
    for state, (number, over, _) in zip(engine, walked, strict=True):
        seen = automaton.situation(number, "before" if over else "after")
        assert player_situation(state.position, "player").wagers == seen.wagers
