"""The automaton against the engine it was compiled from: on identical dice, cent for cent."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter
from collections.abc import Iterator

import pytest

from engine_sessions import Stops, play
from houses import default_dealer
from library_pairs import ONE_EACH
from perft_positions import POSITIONS
from trueodds.chain import ChainTooLargeError
from trueodds.chain.automaton import Automaton
from trueodds.dice import ROLLS, Roll
from trueodds.money import Cents
from trueodds.notation import parse_position
from trueodds.rulebook import House, Spot, load_book
from trueodds.strategy import (
    Outcome,
    Pass,
    Put,
    Strategy,
    StrategyRefusedError,
    View,
    bet,
    function,
    keep,
    named_strategy,
    point,
)
from trueodds.table import situation
from trueodds.table.perft import perft
from walk import walk

SESSIONS = 50


def dice(seed: int) -> Iterator[Roll]:
    chance = random.Random(seed)
    while True:
        yield chance.choice(ROLLS)


@pytest.mark.no_cover
@pytest.mark.parametrize(("book", "name"), ONE_EACH)
def test_chain_and_engine_agree_to_the_cent(book: str, name: str) -> None:
    """Racks and layouts before every throw, and why and with what every session ended, short of money or not."""
    strategy, dealer = named_strategy(name), default_dealer(book)
    automaton = Automaton(strategy, dealer.rules.house)
    for seed in range(SESSIONS):
        bankroll = (2_000, 6_000, 15_000, 50_000)[seed % 4]
        stops = Stops(bankroll + 10_000, bankroll - 4_000, 6) if seed % 3 == 0 else Stops()
        rolls = 60 if name == "ats_molly" else 100
        engine = play(dealer, strategy, bankroll, dice(seed), rolls, stops)
        walked = walk(automaton, bankroll, dice(seed), rolls, stops)
        assert len(engine) == len(walked), seed
        for state, (number, over, rack) in zip(engine, walked, strict=True):
            seen = automaton.situation(number, "before" if over else "after")
            assert (state.rack, state.over) == (rack, over), seed
            assert situation(state.position, "player").wagers == seen.wagers, seed
            assert state.position.puck == seen.puck, seed


def idle() -> Strategy:
    return function(lambda _view, _memory: (), name="nothing at all")


@pytest.mark.parametrize(("name", "book", "line"), POSITIONS, ids=[name for name, _, _ in POSITIONS])
def test_roll_perft_through_the_arrays(name: str, book: str, line: str) -> None:  # noqa: ARG001  shown in the id
    """All 36^n sequences from each position of the corpus: the same cash and the same seven-outs as the engine's."""
    dealer, position = default_dealer(book), parse_position(line)
    for player in [seat.player for seat in position.seats]:
        alone = position._replace(seats=tuple(seat for seat in position.seats if seat.player == player))
        automaton = Automaton(idle(), dealer.rules.house, start=situation(alone, player))
        ways = {int(automaton.after[automaton.start]): 1}
        for throws in range(1, 5):
            cash = seven_outs = 0
            following: Counter[int] = Counter()
            for after, count in ways.items():
                for column, chance in enumerate(automaton.ways.tolist()):
                    here = int(automaton.next[after, column])
                    cash += count * chance * int(automaton.cash[after, column])
                    seven_outs += count * chance * bool(automaton.fresh[here])
                    following[int(automaton.after[here])] += count * chance
            ways = following
            before, total = perft(dealer, alone, throws - 1), perft(dealer, alone, throws)
            assert cash == total.cash - 36 * before.cash
            assert seven_outs == total.seven_outs - 36 * before.seven_outs
            assert sum(ways.values()) == 36**throws


def test_a_function_is_the_same_strategy_as_its_parts() -> None:
    """Pass with odds written by hand, as one function that sees everything, compiles to the same arrays."""

    def by_hand(view: View, memory: object) -> list[Put]:
        assert memory is None
        if not view.wagers:
            return [Put(Spot("pass"), Cents(1000))] if view.point is None else []
        (line,) = view.wagers
        times = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
        if view.point is None or line.odds:
            return []
        return [Put(Spot("pass_odds"), Cents(times[view.point] * line.stake), behind=line)]

    house = House(load_book("new_jersey"))
    parts, hand = Automaton(named_strategy("pass_345"), house), Automaton(function(by_hand), house)
    assert len(hand.next) == len(parts.next)
    ways = [dict(zip(one.columns, one.ways.tolist(), strict=True)) for one in (parts, hand)]
    assert sum(ways[0].values()) == sum(ways[1].values()) == 36
    mean = [(one.cash * one.ways).sum(axis=1).tolist() for one in (parts, hand)]
    assert sorted(mean[0]) == sorted(mean[1])


def test_memory_that_tells_faces_apart_is_compiled_by_pair() -> None:
    def remember_hard(memory: int, outcome: Outcome) -> int:
        return min(3, memory + outcome.roll.is_pair)

    def bet_by_memory(_view: View, memory: int) -> list[Put]:
        return [Put(Spot("field"), Cents(1000 * (memory + 1)))]

    strategy = function(bet_by_memory, remember_hard, 0)
    automaton = Automaton(strategy, House(load_book("maryland")))
    assert len(automaton.columns) == 21
    engine = play(default_dealer("maryland"), strategy, 50_000, dice(5), 60, Stops())
    walked = walk(automaton, 50_000, dice(5), 60, Stops())
    assert [state.rack for state in engine] == [rack for _, _, rack in walked]


def test_a_refused_bet_is_reported_with_the_refusal_and_the_situation() -> None:
    strategy = (keep(Pass(10)) + keep(bet("place:6", 12)).when(point(9)) + keep(bet("buy:4", 7)).when(point(9))).named(
        "X"
    )
    with pytest.raises(StrategyRefusedError) as refused:
        Automaton(strategy, House(load_book("maryland")))
    error = refused.value
    assert error.refusal.code == "below_min"
    assert (error.situation.puck, [str(wager.spot) for wager in error.situation.wagers]) == (9, ["pass"])
    assert str(error).startswith("X is refused: player bets 7 on buy:4: ")
    assert "puck 9 under_way | player: pass 10 as 1" in str(error)


def test_too_many_situations_stop_at_the_budget_and_say_what_was_found() -> None:
    def count(memory: int, _outcome: Outcome) -> int:
        return memory + 1

    endless = function(lambda _view, _memory: (), count, 0, name="Counter")
    with pytest.raises(
        ChainTooLargeError, match=r"Counter has too many situations to write down within 2 MB: [\d,]+ before"
    ):
        Automaton(endless, House(load_book("new_jersey")), budget=2_000_000)


def test_the_budget_is_what_it_takes() -> None:
    """What an automaton says it takes is near what Python really allocates for it."""
    house = House(load_book("maryland"))
    Automaton(named_strategy("ats_molly"), house)
    tracemalloc.start()
    automaton = Automaton(named_strategy("ats_molly"), house)
    taken, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.5 < automaton.total_bytes / taken < 2
    assert peak < 2 * automaton.total_bytes
    assert automaton.arrays_bytes / len(automaton.next) <= 400


def test_groups_hide_nothing() -> None:
    """One group for everything and many groups beside each other make the same situations."""
    house = House(load_book("maryland"))
    strategy = named_strategy("fire_line") + named_strategy("place_6_8")
    apart = Automaton(strategy, house)
    together = Automaton(strategy + idle(), house)
    assert len(apart.groups) > 1
    assert len(together.groups) == 1
    seen = [{one.situation(number) for number in range(len(one.after))} for one in (apart, together)]
    assert {found._replace(hand="under_way") for found in seen[0]} == {
        found._replace(hand="under_way") for found in seen[1]
    }


def test_many_parts_are_shared_out_into_few_groups() -> None:
    spots = load_book("maryland").wagers["hop"].spots()
    strategy = Strategy(tuple(keep(bet(spot, 10)).when(point(6)) for spot in spots))
    automaton = Automaton(strategy, House(load_book("maryland")))
    assert len(automaton.groups) == 4
    assert len(automaton.next) == 7
    assert sorted({int(cost) for cost in automaton.cost}) == [0, 1000 * len(spots)]
