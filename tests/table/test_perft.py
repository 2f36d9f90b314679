"""The perft corpus: exact totals over all 36^n sequences of rolls, with merged positions and by brute force."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from support.perft import perft
from support.perft_positions import DEPTH, POSITIONS, corpus_totals
from trueodds.craps_table import Table
from trueodds.dice import ROLLS
from trueodds.notation import parse_position
from trueodds.rulebook import House, load_book
from trueodds.table import Rolled
from trueodds.wagers import TableRules

CORPUS = [
    line.split("; ")
    for line in (Path(__file__).parent / "perft_corpus.txt").read_text("utf-8").splitlines()
    if not line.startswith(";")
]


def test_the_corpus_has_every_position() -> None:
    assert [tuple(row[:3]) for row in CORPUS] == POSITIONS


@pytest.mark.parametrize("row", CORPUS, ids=lambda row: row[0])
def test_totals_are_those_of_the_corpus(row: list[str]) -> None:
    _, book, line, *totals = row
    assert len(totals) == DEPTH
    for rolls, (total, stored) in enumerate(zip(corpus_totals(book, line), totals, strict=True), 1):
        assert total.sequences == 36**rolls
        assert " ".join(map(str, total[1:])) == stored


@pytest.mark.parametrize("row", CORPUS, ids=lambda row: row[0])
def test_brute_force_through_the_table_agrees(row: list[str]) -> None:
    """Each of the 1,296 sequences of two rolls played on a table and undone."""
    rules = TableRules(House(load_book(row[1])))
    start = parse_position(row[2])
    table = Table(rules, position=start)
    cash, seven_outs, ends = 0, 0, set()
    for sequence in product(ROLLS, repeat=2):
        for roll in sequence:
            (event, *_) = table.roll(roll)
            assert isinstance(event, Rolled)
            cash += sum(one.settlement.paid_cents for one in event.settled)
            seven_outs += event.seven_out
        ends.add(table.position)
        table.undo()
        table.undo()
    merged = perft(table.dealer, start, 2)
    assert (cash, seven_outs, len(ends)) == (merged.paid_cents, merged.seven_outs, merged.positions)
