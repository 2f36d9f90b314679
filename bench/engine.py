"""The speed of a table with its events, compared with crapssim and the same player in the same run.

    python bench/engine.py [ROLLS]

Prints the rolls per second of both, their ratio, and the memory of a table after many rolls.
"""

from __future__ import annotations

import random
import sys
import time
import tracemalloc

from crapssim import Table as PeerTable
from crapssim.bet import Come
from crapssim.strategy import odds, single_bet, tools

from molly_player import TIMES, next_bet
from trueodds.craps_table import Table
from trueodds.dice import ROLLS
from trueodds.table import Rolled


def trueodds_speed(rolls: int, seed: int) -> float:
    table, pick = Table("new_jersey"), random.Random(seed).choice
    settled = 0
    start = time.perf_counter()
    for _ in range(rolls):
        while (bet := next_bet(table.position.seats[0].wagers, table.position.puck)) is not None:
            table.do(bet)
        for event in table.roll(pick(ROLLS)):
            settled += len(event.settled) if isinstance(event, Rolled) else 0
    taken = time.perf_counter() - start
    if settled < rolls:
        raise SystemExit("the table settled nothing")
    return rolls / taken


def crapssim_speed(rolls: int, seed: int) -> float:
    table = PeerTable(seed=seed)
    table.add_player(
        bankroll=10**9,
        strategy=tools.AggregateStrategy(
            single_bet.BetPassLine(10),
            odds.PassLineOddsMultiplier(TIMES),
            tools.CountStrategy(Come, 2, Come(10)),
            odds.ComeOddsMultiplier(TIMES),
        ),
    )
    start = time.perf_counter()
    table.run(max_rolls=rolls, verbose=False, runout=False)
    return rolls / (time.perf_counter() - start)


def memory_growth() -> tuple[int, int]:
    """Return the traced bytes of a table after 20,000 and after 60,000 rolls."""
    table, pick = Table("new_jersey"), random.Random(3).choice
    tracemalloc.start()
    sizes = []
    for rolls in (20_000, 40_000):
        for _ in range(rolls):
            while (bet := next_bet(table.position.seats[0].wagers, table.position.puck)) is not None:
                table.do(bet)
            table.roll(pick(ROLLS))
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    return sizes[0], sizes[1]


def main() -> None:
    rolls = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    trueodds_speed(2_000, 0), crapssim_speed(500, 0)
    pairs = [(trueodds_speed(rolls, seed), crapssim_speed(rolls // 4, seed)) for seed in (1, 2, 3)]
    for mine, peer in pairs:
        print(f"trueodds {mine:10,.0f} rolls/s   crapssim {peer:10,.0f} rolls/s   ratio {mine / peer:5.2f}")
    print(f"ratio of the medians: {sorted(m for m, _ in pairs)[1] / sorted(p for _, p in pairs)[1]:.2f}")
    first, later = memory_growth()
    print(f"table memory after 20,000 rolls {first / 1024:,.0f} KiB, after 60,000 rolls {later / 1024:,.0f} KiB")


if __name__ == "__main__":
    main()
