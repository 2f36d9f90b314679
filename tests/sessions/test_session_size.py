"""What a session costs: situations, memory, and nothing for an odd bankroll."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from trueodds.automaton import Automaton, TooManyStatesError
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.sessions import Session
from trueodds.strategy import MakeBet, PlayerView, RollOutcome, Strategy, strategy_from_function

MEGABYTE = 1_000_000


@pytest.fixture(autouse=True, scope="module")
def load_kernels() -> None:
    """Load what is loaded only once, so that it is not measured."""
    import_module("trueodds.sessions.float_kernels")
    for book in ("new_jersey", "maryland"):
        Session("pass", book, bankroll=500, rolls=3)


def peak_bytes(compute: Callable[[], object]) -> int:
    """Return how much memory Python and NumPy had allocated at most during a call."""
    tracemalloc.start()
    try:
        compute()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def bet_by_count(_view: PlayerView, memory: int) -> list[MakeBet]:
    return [MakeBet(Spot("field"), stake_cents=Cents(1000 + 100 * (memory % 3)))]


def counter(limit: int) -> Strategy:
    """Return a strategy that remembers the number of rolls up to a limit, and bets by it."""

    def count(memory: int, _outcome: RollOutcome) -> int:
        return min(limit, memory + 1)

    return strategy_from_function(bet_by_count, count, 0, name="Counter")


def rememberer() -> Strategy:
    """Return a strategy that remembers every total, so that each roll has eleven times as many situations."""

    def remember(memory: tuple[int, ...], outcome: RollOutcome) -> tuple[int, ...]:
        return (*memory, outcome.roll.total)

    return strategy_from_function(lambda view, memory: bet_by_count(view, sum(memory)), remember, (), name="Rememberer")


# --------------------------------------------------------------------------------------------------------- bankroll


@pytest.mark.parametrize("rational", [False, True])
@pytest.mark.parametrize(
    ("name", "stops"), [("molly", {}), ("pass_345", {"stop_win": 120, "stop_loss": "99.99"}), ("place_6_8", {})]
)
def test_an_odd_bankroll_has_the_same_results(name: str, stops: dict[str, Any], rational: bool) -> None:
    """One cent more changes no bet, no stop and no result, because all money moves in dollars."""
    even, odd = (
        Session(name, "new_jersey", bankroll=bankroll, rolls=15, rational=rational, **stops)
        for bankroll in (300, "300.01")
    )
    assert np.array_equal(even.results_cents, odd.results_cents)
    assert np.array_equal(even.chances, odd.chances)
    assert even.exact_chances == odd.exact_chances
    assert even.quantiles_cents == odd.quantiles_cents
    assert (even.ended_by, even.expected_rolls) == (odd.ended_by, odd.expected_rolls)


def test_an_odd_bankroll_takes_no_more_memory() -> None:
    even = peak_bytes(lambda: Session("molly", "new_jersey", bankroll=500, rolls=40))
    odd = peak_bytes(lambda: Session("molly", "new_jersey", bankroll="500.01", rolls=40))
    assert odd < 1.1 * even


# -------------------------------------------------------------------------------------------------------- functions


def test_a_short_session_compiles_only_what_it_can_meet() -> None:
    """A counter without a limit has endless situations. Five rolls meet few of them."""
    calls = 0

    def bet(view: PlayerView, memory: int) -> list[MakeBet]:
        nonlocal calls
        calls += 1
        return bet_by_count(view, memory)

    endless = strategy_from_function(bet, lambda memory, _outcome: memory + 1, 0)
    session = Session(endless, "new_jersey", bankroll=500, rolls=5, budget_bytes=5 * MEGABYTE)
    assert calls < 50
    assert max(session.situation_counts) < 60
    limited = Session(counter(5), "new_jersey", bankroll=500, rolls=5, rational=True)
    assert limited.exact_chances is not None
    assert session.chances == pytest.approx([float(chance) for chance in limited.exact_chances], rel=1e-12)
    assert np.array_equal(session.results_cents, limited.results_cents)


def test_a_session_does_not_compile_bets_that_the_bankroll_cannot_reach() -> None:
    """With ten dollars, a pass bet with odds never gets its odds, and no situation has them."""
    short = Session("pass_345", "new_jersey", bankroll=10, rolls=1)
    complete = Automaton(short.strategy, House(load_book("new_jersey")))
    assert short.situation_counts[1] < len(complete.next)


# ----------------------------------------------------------------------------------------------------------- memory

BUDGETS = [
    ("rememberer", "new_jersey", {"rolls": 5}, 10),
    ("rememberer", "new_jersey", {"rolls": 3}, 8),
    ("ats_molly", "maryland", {"rolls": 8}, 20),
    ("ats_molly", "maryland", {"rolls": 4}, 40),
    ("molly", "new_jersey", {"rolls": 400}, 7),
    ("molly", "new_jersey", {"rolls": 200}, 12),
    ("press_6_8", "maryland", {"rolls": 300}, 9),
    ("pass_345", "new_jersey", {"shooters": 30}, 6),
]


@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "book", "options", "megabytes"), BUDGETS)
def test_memory_stays_within_the_budget(name: str, book: str, options: dict[str, int], megabytes: int) -> None:
    """Whether the session is computed or refused."""
    strategy = rememberer() if name == "rememberer" else name

    def compute() -> None:
        try:
            Session(strategy, book, bankroll=500, budget_bytes=megabytes * MEGABYTE, **options)  # type: ignore[arg-type]
        except TooManyStatesError as error:
            assert f"{megabytes} MB" in str(error)  # noqa: PT017  not every session is refused

    assert peak_bytes(compute) < megabytes * MEGABYTE


RATIONAL_SESSION = """
import resource, sys
from trueodds.automaton import TooManyStatesError
from trueodds.sessions import Session

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

Session("molly", "new_jersey", bankroll=500, rolls=3, rational=True)
before = peak()
try:
    Session("molly", "new_jersey", bankroll=500, rolls=int(sys.argv[1]), rational=True, budget_bytes=int(sys.argv[2]))
    print("computed", peak() - before)
except TooManyStatesError as error:
    print("refused", peak() - before)
"""


@pytest.mark.parametrize(("rolls", "megabytes", "result"), [(60, 20, "computed"), (200, 20, "refused")])
def test_memory_of_fractions_stays_within_the_budget(rolls: int, megabytes: int, result: str) -> None:
    """As the operating system sees it, because the big integers of FLINT are not allocated by Python."""
    command = [sys.executable, "-c", RATIONAL_SESSION, str(rolls), str(megabytes * MEGABYTE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    how, grown_bytes = done.stdout.split()
    assert how == result
    assert int(grown_bytes) < megabytes * MEGABYTE
