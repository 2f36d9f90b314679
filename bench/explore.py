"""Enumerating a player's situations through the public API alone: how fast can a strategy be compiled?

python bench/explore.py
"""

from __future__ import annotations

import time

from molly import next_bet
from trueodds.rulebook import House, load_book
from trueodds.table import Dealer, Entry, Position, Seat, Situation, situation
from trueodds.wagers import Rules


def position_of(seen: Situation) -> Position:
    """Lay a situation out as a position with numbered tags."""
    entries, tag = [], 0
    for wager in seen.wagers:
        tags = tuple(str(tag + 1 + index) for index in range(len(wager.odds) + 1))
        entries.append(Entry(tags[0], wager, tags[1:]))
        tag += len(tags)
    return Position(puck=seen.puck, hand=seen.hand, seats=(Seat("A", True, tuple(entries)),), serial=tag)


def explore(dealer: Dealer) -> tuple[int, int]:
    """Count the situations after betting and the distinct ones before betting that they lead to."""
    frontier = [situation(Position(seats=(Seat("A"),)), "A")]
    before, after = set(frontier), set[Situation]()
    while frontier:
        position = position_of(frontier.pop())
        while (bet := next_bet(position.seats[0].entries, position.puck)) is not None:
            position, _ = dealer.act(position, bet)
        settled = situation(position, "A")
        if settled in after:
            continue
        after.add(settled)
        for roll, _ways in dealer.outcomes(settled):
            seen, _ = dealer.advance(settled, roll)
            if seen not in before:
                before.add(seen)
                frontier.append(seen)
    return len(after), len(before)


def main() -> None:
    rules = Rules(House(load_book("new_jersey")))
    dealer = Dealer(rules)
    for attempt in ("a dealer who has seen nothing", "the same dealer again"):
        start = time.perf_counter()
        after, before = explore(dealer)
        taken = time.perf_counter() - start
        print(
            f"{attempt}: {after} situations after betting, {before} before, "
            f"in {taken:.3f} s: {after / taken:,.0f} situations/s, {36 * after / taken:,.0f} edges/s"
        )


if __name__ == "__main__":
    main()
