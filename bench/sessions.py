"""The speed and size of compiled strategies and exact sessions, and whether automaton and engine agree.

PYTHONPATH=tests python bench/sessions.py [SESSIONS]
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from importlib import import_module

from support.automaton_walk import walk_automaton
from support.strategy_books import books_allowing
from support.table_sessions import TableStops, play
from trueodds.automaton import Automaton
from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import House, book_ids, load_book
from trueodds.sessions import Session
from trueodds.sessions.float_distribution import FloatDistribution
from trueodds.strategy import builtin_strategy, builtin_strategy_names
from trueodds.table import CachedDealer
from trueodds.wagers import TableRules

SESSIONS = 1000
SEED = 20_261_116


def bench_compiling() -> None:
    house = House(load_book("maryland"))
    for name in ("molly", "ats_molly", "ats_molly", "ats_molly"):
        start = time.perf_counter()
        automaton = Automaton(builtin_strategy(name), house)
        taken = time.perf_counter() - start
        after, before = len(automaton.next), len(automaton.after_betting)
        print(
            f"{name}: {after:,} situations after betting, {before:,} before, in {taken:.3f} s: "
            f"{after / taken:,.0f} situations/s; arrays {automaton.arrays_bytes / after:.0f} bytes per situation"
        )


def bench_sessions() -> None:
    spent = 0.0
    plain = FloatDistribution.step

    def timed(self: FloatDistribution) -> None:
        nonlocal spent
        start = time.perf_counter()
        plain(self)
        spent += time.perf_counter() - start

    FloatDistribution.step = timed  # type: ignore[method-assign]  # to time the steps separately
    import_module("trueodds.sessions.float_kernels")  # once Numba is imported, every session uses it
    Session("pass", "new_jersey", bankroll=100, rolls=5)
    for name in ("pass", "pass_345", "place_6_8", "molly"):
        spent = 0.0
        start = time.perf_counter()
        found = Session(name, "new_jersey", bankroll=500, rolls=200)
        taken = time.perf_counter() - start
        start = time.perf_counter()
        exact = Session(name, "new_jersey", bankroll=500, rolls=200, rational=True)
        print(
            f"{name}, bankroll 500, 200 rolls: {spent * 1000:,.0f} ms of steps, {taken:.2f} s in all, "
            f"{time.perf_counter() - start:.2f} s in fractions; mean {float(found.mean_cents) / 100:.6f}, "
            f"off by {abs(float(found.mean_cents - exact.mean_cents)):.1e} cents"
        )
    FloatDistribution.step = plain  # type: ignore[method-assign]


def random_rolls(seed: int) -> Iterator[Roll]:
    generator = random.Random(seed)
    while True:
        yield generator.choice(ROLLS)


def check_agreement(count: int) -> None:
    """Play sessions on the arrays and with the engine on the same rolls. Exit if they differ."""
    for book in book_ids():
        dealer = CachedDealer(TableRules(House(load_book(book))))
        names = [name for name in builtin_strategy_names() if book in books_allowing(name)]
        total_rolls = 0
        for name in names:
            strategy = builtin_strategy(name)
            automaton = Automaton(strategy, dealer.rules.house)
            for session in range(count):
                seed, bankroll = SEED + session, (2_000, 6_000, 15_000, 50_000)[session % 4]
                stops = TableStops(bankroll + 10_000, bankroll - 4_000, 6) if session % 3 == 0 else TableStops()
                engine = play(dealer, strategy, bankroll, random_rolls(seed), 100, stops)
                walked = walk_automaton(automaton, bankroll, random_rolls(seed), 100, stops)
                same = [(state.ended_by, state.rack) for state in engine] == [(over, rack) for _, over, rack in walked]
                if not same:
                    raise SystemExit(f"{name} in {book}, seed {seed}: automaton and engine differ")
                total_rolls += len(walked) - 1
        print(f"{book}: {len(names)} strategies x {count:,} sessions, {total_rolls:,} rolls: they agree to the cent")


def main() -> None:
    bench_compiling()
    bench_sessions()
    check_agreement(int(sys.argv[1]) if len(sys.argv) > 1 else SESSIONS)


if __name__ == "__main__":
    main()
