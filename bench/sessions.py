"""Compiling strategies and computing exact sessions: how fast, how large, and does it agree with the engine?

PYTHONPATH=tests/chain python bench/chain.py [sessions]
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator

from engine_sessions import Stops, play
from library_pairs import books_of
from trueodds.chain import Automaton, Session
from trueodds.chain.kernel import Flow
from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import House, book_ids, load_book
from trueodds.strategy import named_strategy, strategy_names
from trueodds.table import Dealer
from trueodds.wagers import Rules
from walk import walk

SESSIONS = 1000
SEED = 20_261_116


def building() -> None:
    house = House(load_book("maryland"))
    for name in ("molly", "ats_molly", "ats_molly", "ats_molly"):
        start = time.perf_counter()
        automaton = Automaton(named_strategy(name), house)
        taken = time.perf_counter() - start
        after, before = len(automaton.next), len(automaton.after)
        print(
            f"{name}: {after:,} situations after betting, {before:,} before, in {taken:.3f} s with a new dealer: "
            f"{after / taken:,.0f} situations/s; arrays {automaton.arrays_bytes / after:.0f} bytes a situation"
        )


def sessions() -> None:
    spent = 0.0
    plain = Flow.step

    def timed(self: Flow) -> None:
        nonlocal spent
        start = time.perf_counter()
        plain(self)
        spent += time.perf_counter() - start

    Flow.step = timed  # type: ignore[method-assign]  # to tell computing from compiling
    Session("pass", "new_jersey", bankroll=100, rolls=5)
    for name in ("pass", "pass_345", "place_6_8", "molly"):
        spent = 0.0
        start = time.perf_counter()
        found = Session(name, "new_jersey", bankroll=500, rolls=200)
        taken = time.perf_counter() - start
        start = time.perf_counter()
        exact = Session(name, "new_jersey", bankroll=500, rolls=200, rational=True)
        print(
            f"{name}, bankroll 500, 200 rolls: {spent * 1000:,.0f} ms of computing, {taken:.2f} s altogether, "
            f"{time.perf_counter() - start:.2f} s in fractions; mean {float(found.mean) / 100:.6f}, "
            f"off by {abs(float(found.mean - exact.mean)):.1e} cents"
        )
    Flow.step = plain  # type: ignore[method-assign]


def dice(seed: int) -> Iterator[Roll]:
    chance = random.Random(seed)
    while True:
        yield chance.choice(ROLLS)


def agreement(count: int) -> None:
    """Walk the arrays and play the engine on identical dice; any difference is an error."""
    for book in book_ids():
        dealer = Dealer(Rules(House(load_book(book))))
        names = [name for name in strategy_names() if book in books_of(name)]
        throws = 0
        for name in names:
            strategy = named_strategy(name)
            automaton = Automaton(strategy, dealer.rules.house)
            for session in range(count):
                seed, bankroll = SEED + session, (2_000, 6_000, 15_000, 50_000)[session % 4]
                stops = Stops(bankroll + 10_000, bankroll - 4_000, 6) if session % 3 == 0 else Stops()
                engine = play(dealer, strategy, bankroll, dice(seed), 100, stops)
                walked = walk(automaton, bankroll, dice(seed), 100, stops)
                same = [(state.over, state.rack) for state in engine] == [(over, rack) for _, over, rack in walked]
                if not same:
                    raise SystemExit(f"{name} in {book}, seed {seed}: chain and engine differ")
                throws += len(walked) - 1
        print(f"{book}: {len(names)} strategies x {count:,} sessions, {throws:,} throws: they agree to the cent")


def main() -> None:
    building()
    sessions()
    agreement(int(sys.argv[1]) if len(sys.argv) > 1 else SESSIONS)


if __name__ == "__main__":
    main()
