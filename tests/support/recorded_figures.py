"""Compute the figures that a change of names or structure must leave alone, as digests.

    PYTHONPATH=tests python tests/support/recorded_figures.py > tests/support/recorded_figures.json

A digest covers numbers and the words of the game only, so that renaming a class does not change it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

from trueodds.craps_table import Table
from trueodds.dice import ROLLS
from trueodds.money import Cents
from trueodds.rulebook import Book, House, Spot, book_ids, load_book
from trueodds.sessions import Session
from trueodds.simulation.simulate import simulate
from trueodds.table import Action, Bet, Press, Reduce, Refused, Rolled, TakeDown, ToggleBet, money_movements
from trueodds.wager_odds.exact_odds import house_odds

RECORDED = Path(__file__).parent / "recorded_figures.json"
SIMULATED_SESSIONS = 2000
STEPS_PER_BOOK = 20_000
STAKES = (100, 500, 600, 1000, 1200, 2000, 2500, 3000, 5000, 10_000)

SESSIONS: dict[str, dict[str, object]] = {
    f"{book}/{strategy}": {"bankroll": bankroll, "rolls": rolls, **stops}
    for book, strategy, bankroll, rolls, stops in (
        ("new_jersey", "pass", 100, 60, {}),
        ("new_jersey", "pass_345", 500, 60, {}),
        ("new_jersey", "place_6_8", 200, 40, {"stop_win": 100}),
        ("new_jersey", "iron_cross", 300, 30, {"stop_loss": 150}),
        ("new_jersey", "molly", 300, 20, {}),
        ("new_jersey", "dont_pass_lay", 300, 40, {"stop_win": 50, "stop_loss": 100}),
        ("new_jersey", "martingale", 300, 40, {}),
        ("new_jersey", "hardways", 200, 25, {}),
        ("maryland", "pass", 100, 60, {"shooters": 3}),
        ("maryland", "pass_345", 300, 40, {"stop_win": 200}),
        ("maryland", "buy_4_10", 400, 30, {}),
        ("maryland", "horn", 100, 30, {}),
        ("rws", "pass", 100, 50, {}),
        ("rws", "pass_345", 400, 30, {}),
        ("rws", "lay_4_10", 500, 30, {}),
        ("south_dakota", "iron_cross", 300, 30, {"stop_loss": 200}),
        ("south_dakota", "place_6_8", 200, 30, {}),
        ("south_dakota", "whirl", 100, 20, {}),
        ("win_line", "pass", 100, 40, {}),
        ("win_line", "win_line", 300, 30, {}),
    )
}


def digest(rows: Iterable[object]) -> str:
    """Return a short SHA-256 over the text of some rows."""
    running = hashlib.sha256()
    for row in rows:
        running.update(repr(row).encode() + b"\n")
    return running.hexdigest()[:24]


def odds_digest(book: str) -> str:
    """Return a digest of every figure of a book's wagers, as fractions."""
    house = House(load_book(book))
    rows = (
        (str(row.spot), *(str(value) for value in tuple(row)[3:10]), str(row.edge), str(row.edge_per_roll))
        for row in house_odds(house)
    )
    return digest(rows)


def session_digest(name: str) -> str:
    """Return a digest of the exact fractions of a session."""
    book, strategy = name.split("/")
    session = Session(strategy, book, rational=True, **SESSIONS[name])  # type: ignore[arg-type]  # a row of the table
    rows = [*zip(session.results_cents.tolist(), map(str, session.exact_chances or ()), strict=True)]
    causes = [str(session.ended_by[cause]) for cause in ("stop_loss", "stop_win", "ruin")]
    return digest(
        [*rows, causes, str(session.mean_cents), str(session.expected_rolls), str(session.expected_action_cents)]
    )


def simulation_digest(name: str) -> str:
    """Return a digest of everything counted in a seeded simulation."""
    book, strategy = name.split("/")
    found = simulate(strategy, book, bankroll=1000, rolls=100, sessions=SIMULATED_SESSIONS, seed=20_261_118)
    counts = [found.histogram(what) for what in ("final_worth", "peak", "trough", "rolls", "hands")]
    return digest(
        [*((one.values.tolist(), one.counts.tolist()) for one in counts), sorted(found.histograms.ended_by.items())]
    )


def engine_digest(book: str, steps: int = STEPS_PER_BOOK) -> str:
    """Return a digest of random steps at a table: what was refused and why, what moved and what stayed up."""
    random, rows = Random(f"steps of {book}"), list[object]()
    source: Book = load_book(book)
    spots = sorted(spot for text in source.wagers.values() for spot in text.spots())
    table = Table(book, players=["A", "B"])
    for step in range(steps):
        if step % 500 == 0:
            table = Table(book, players=["A", "B"])
        try:
            events = (
                table.roll(random.choice(ROLLS)) if random.random() < 0.4 else table.do(_action(table, random, spots))
            )
        except Refused as refused:
            rows.append((refused.code.value, [str(cite) for cite in refused.refusal.cite]))
            continue
        for event in events:
            rows.append(tuple(tuple(movement) for movement in money_movements(event)))
            if isinstance(event, Rolled):
                rows.append(
                    [
                        (one.tag, one.settlement.result.value, one.settlement.net_cents, one.sentence)
                        for one in event.settled
                    ]
                )
        rows.append(
            (table.position.puck, [repr(_plain(entry)) for seat in table.position.seats for entry in seat.wagers])
        )
    return digest(rows)


def _plain(value: object) -> object:
    """Return nested tuples without their class names."""
    if isinstance(value, Spot):
        return str(value)
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _action(table: Table, random: Random, spots: list[Spot]) -> Action:
    player = random.choice("AB")
    seat = table.position.seats["AB".index(player)]
    stake = Cents(random.choice(STAKES))
    if not seat.wagers or random.random() < 0.6:
        on = random.choice(seat.wagers).tag if seat.wagers and random.random() < 0.4 else None
        spot = random.choice(spots)
        return Bet(player, spot, stake, on if spot.kind.endswith("_odds") else None)
    entry = random.choice(seat.wagers)
    tag = random.choice((entry.tag, *entry.odds_tags))
    kinds: tuple[Callable[[], Action], ...] = (
        lambda: TakeDown(player, tag),
        lambda: Press(player, tag, stake),
        lambda: Reduce(player, tag, stake),
        lambda: ToggleBet(player, tag, "on"),
        lambda: ToggleBet(player, tag, "off"),
    )
    return random.choice(kinds)()


def simulated_pairs() -> list[str]:
    """Return every built-in strategy with every book that allows it."""
    from support.strategy_books import ALL_PAIRS  # noqa: PLC0415

    return [f"{book}/{name}" for book, name in ALL_PAIRS]


def main() -> None:
    """Print every figure as JSON."""
    figures = {
        "odds": {book: odds_digest(book) for book in book_ids()},
        "engine": {book: engine_digest(book) for book in book_ids()},
        "sessions": {name: session_digest(name) for name in SESSIONS},
        "simulations": {name: simulation_digest(name) for name in simulated_pairs()},
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
