"""The automaton compared with the engine that it was compiled from, with the same dice, to the cent."""

from __future__ import annotations

import pickle
import random
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from support.automaton_walk import walk_automaton
from support.houses import default_house_dealer
from support.perft import perft
from support.perft_positions import POSITIONS
from support.strategy_books import ONE_BOOK_EACH
from support.table_sessions import TableStops, play
from trueodds.automaton import TooManyStatesError
from trueodds.automaton.automaton import Automaton
from trueodds.dice import ROLLS, Roll
from trueodds.money import Cents
from trueodds.notation import parse_position
from trueodds.rulebook import House, Spot, load_book
from trueodds.strategy import (
    MakeBet,
    Pass,
    PlayerView,
    RollOutcome,
    Strategy,
    StrategyRefusedError,
    bet,
    builtin_strategy,
    keep,
    point,
    strategy_from_function,
)
from trueodds.table import player_situation

SESSIONS = 50


def dice(seed: int) -> Iterator[Roll]:
    chance = random.Random(seed)
    while True:
        yield chance.choice(ROLLS)


@pytest.mark.no_cover
@pytest.mark.parametrize(("book", "name"), ONE_BOOK_EACH)
def test_automaton_and_engine_agree_to_the_cent(book: str, name: str) -> None:
    """Compare racks and layouts before every roll, and the reason and rack at the end of every session."""
    strategy, dealer = builtin_strategy(name), default_house_dealer(book)
    automaton = Automaton(strategy, dealer.rules.house)
    for seed in range(SESSIONS):
        bankroll = (2_000, 6_000, 15_000, 50_000)[seed % 4]
        stops = TableStops(bankroll + 10_000, bankroll - 4_000, 6) if seed % 3 == 0 else TableStops()
        rolls = 60 if name == "ats_molly" else 100
        engine = play(dealer, strategy, bankroll, dice(seed), rolls, stops)
        walked = walk_automaton(automaton, bankroll, dice(seed), rolls, stops)
        assert len(engine) == len(walked), seed
        for state, (number, over, rack) in zip(engine, walked, strict=True):
            seen = automaton.situation(number, "before" if over else "after")
            assert (state.rack, state.ended_by) == (rack, over), seed
            assert player_situation(state.position, "player").wagers == seen.wagers, seed
            assert state.position.puck == seen.puck, seed


def idle() -> Strategy:
    return strategy_from_function(lambda _view, _memory: (), name="no bets")


@pytest.mark.parametrize(("name", "book", "line"), POSITIONS, ids=[name for name, _, _ in POSITIONS])
def test_roll_perft_with_the_arrays(name: str, book: str, line: str) -> None:  # noqa: ARG001  shown in the id
    """All 36^n sequences from each position of the corpus pay the same cash and seven out as often as in the engine."""
    dealer, position = default_house_dealer(book), parse_position(line)
    for player in [seat.player for seat in position.seats]:
        alone = position._replace(seats=tuple(seat for seat in position.seats if seat.player == player))
        automaton = Automaton(idle(), dealer.rules.house, start_situation=player_situation(alone, player))
        ways = {int(automaton.after_betting[automaton.start]): 1}
        for roll_count in range(1, 5):
            cash = seven_outs = 0
            following: Counter[int] = Counter()
            for after, count in ways.items():
                for column, chance in enumerate(automaton.ways.tolist()):
                    here = int(automaton.next[after, column])
                    cash += count * chance * int(automaton.payout_cents[after, column])
                    seven_outs += count * chance * bool(automaton.new_shooter[here])
                    following[int(automaton.after_betting[here])] += count * chance
            ways = following
            before, total = perft(dealer, alone, roll_count - 1), perft(dealer, alone, roll_count)
            assert cash == total.paid_cents - 36 * before.paid_cents
            assert seven_outs == total.seven_outs - 36 * before.seven_outs
            assert sum(ways.values()) == 36**roll_count


def test_a_function_strategy_compiles_to_the_same_arrays_as_its_plays() -> None:
    """Write pass with odds as one function that sees the whole layout."""

    def by_hand(view: PlayerView, memory: object) -> list[MakeBet]:
        assert memory is None
        if not view.wagers:
            return [MakeBet(Spot("pass"), stake_cents=Cents(1000))] if view.point is None else []
        (line,) = view.wagers
        times = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
        if view.point is None or line.odds_bets:
            return []
        return [MakeBet(Spot("pass_odds"), stake_cents=Cents(times[view.point] * line.stake), behind=line)]

    house = House(load_book("new_jersey"))
    from_plays = Automaton(builtin_strategy("pass_345"), house)
    from_function = Automaton(strategy_from_function(by_hand), house)
    assert len(from_function.next) == len(from_plays.next)
    for automaton in (from_plays, from_function):
        assert sum(automaton.ways.tolist()) == 36
    means = [(automaton.payout_cents * automaton.ways).sum(axis=1) for automaton in (from_plays, from_function)]
    assert sorted(means[0].tolist()) == sorted(means[1].tolist())


def test_a_memory_that_reads_faces_is_compiled_by_pair() -> None:
    def remember_hard(memory: int, outcome: RollOutcome) -> int:
        return min(3, memory + outcome.roll.is_pair)

    def bet_by_memory(_view: PlayerView, memory: int) -> list[MakeBet]:
        return [MakeBet(Spot("field"), stake_cents=Cents(1000 * (memory + 1)))]

    strategy = strategy_from_function(bet_by_memory, remember_hard, 0)
    automaton = Automaton(strategy, House(load_book("maryland")))
    assert len(automaton.columns) == 21
    engine = play(default_house_dealer("maryland"), strategy, 50_000, dice(5), 60, TableStops())
    walked = walk_automaton(automaton, 50_000, dice(5), 60, TableStops())
    assert [state.rack for state in engine] == [rack for _, _, rack in walked]


def test_a_refused_bet_is_reported_with_the_refusal_and_the_situation() -> None:
    strategy = (
        keep(Pass(10)) + keep(bet("place:6", 12)).when(point(9)) + keep(bet("buy:4", 7)).when(point(9))
    ).with_name("X")
    with pytest.raises(StrategyRefusedError) as refused:
        Automaton(strategy, House(load_book("maryland")))
    error = refused.value
    assert error.refusal.code == "below_min"
    assert (error.situation.puck, [str(wager.spot) for wager in error.situation.wagers]) == (9, ["pass"])
    assert str(error).startswith("X is refused: player bets 7 on buy:4: ")
    assert "puck 9 under_way | player: pass 10 as 1" in str(error)


def test_too_many_situations_raise_an_error_at_the_budget() -> None:
    def count(memory: int, _outcome: RollOutcome) -> int:
        return memory + 1

    endless = strategy_from_function(lambda _view, _memory: (), count, 0, name="Counter")
    with pytest.raises(
        TooManyStatesError, match=r"Counter has too many situations for a memory budget of 2 MB: [\d,]+ before"
    ):
        Automaton(endless, House(load_book("new_jersey")), budget_bytes=2_000_000)


def test_total_bytes_is_close_to_the_memory_allocated() -> None:
    """Compare with what Python allocates."""
    house = House(load_book("maryland"))
    Automaton(builtin_strategy("ats_molly"), house)
    tracemalloc.start()
    automaton = Automaton(builtin_strategy("ats_molly"), house)
    taken, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.5 < automaton.total_bytes / taken < 2
    assert peak < 2 * automaton.total_bytes
    assert automaton.arrays_bytes / len(automaton.next) <= 400


def test_components_do_not_change_the_situations() -> None:
    """One component for everything and several components find the same situations."""
    house = House(load_book("maryland"))
    strategy = builtin_strategy("fire_line") + builtin_strategy("place_6_8")
    apart = Automaton(strategy, house)
    together = Automaton(strategy + idle(), house)
    assert len(apart.components) > 1
    assert len(together.components) == 1
    seen = [{one.situation(number) for number in range(len(one.after_betting))} for one in (apart, together)]
    assert {found._replace(hand_stage="under_way") for found in seen[0]} == {
        found._replace(hand_stage="under_way") for found in seen[1]
    }


def test_many_plays_are_merged_into_few_components() -> None:
    spots = load_book("maryland").wagers["hop"].spots()
    strategy = Strategy(tuple(keep(bet(spot, 10)).when(point(6)) for spot in spots))
    automaton = Automaton(strategy, House(load_book("maryland")))
    assert len(automaton.components) == 4
    assert len(automaton.next) == 7
    assert sorted({int(cost) for cost in automaton.cost_cents}) == [0, 1000 * len(spots)]


def arrays(automaton: Automaton) -> list[list[object]]:
    names = ("cost_cents", "after_betting", "after_skipping", "next", "payout_cents", "resolved_cents")
    return [getattr(automaton, name).tolist() for name in names]


def test_an_automaton_pickles_through_a_process_pool() -> None:
    """The copy has the same arrays, and can be extended like the original."""
    automaton = Automaton(builtin_strategy("pass_345"), House(load_book("new_jersey")), on_progress=lambda _count: None)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(arrays, automaton).result() == arrays(automaton)
    copy = pickle.loads(pickle.dumps(automaton))  # noqa: S301  made here
    count = len(automaton.after_betting)
    assert repr(copy) == repr(automaton)
    for each in (copy, automaton):
        each.add_skips(np.arange(count))
    assert arrays(copy) == arrays(automaton)
    assert (copy.after_skipping[:count] >= 0).all()
