"""Every throw of a journal is proved by what stands before it; anything else is named."""

from __future__ import annotations

import json
from functools import partial

import pytest

from boxes import KEY, Trial
from trueodds.dice import Roll
from trueodds.fair import FairDice
from trueodds.journal import Header, Journal, Record, Row, Thrown, check_journal
from trueodds.journal.row import write_content
from trueodds.rulebook import open_house
from trueodds.service.box import Box
from trueodds.service.floor import Floor
from trueodds.service.pace import Pace
from trueodds.service.proving import RollVerifier
from trueodds.table import NoRoll, Rolled

HEADER = Header.of("t1", open_house("new_jersey"), 0)


def throws(count: int) -> list[Thrown]:
    """Throw alone, and gather each throw with its records as a check does."""
    trial = Trial()
    anchor = Record("anchored", {"anchor": trial.boxman.open(Box.new(trial.box.table), 0).contents[0].body["anchor"]})  # type: ignore[union-attr]  # it is a record
    trial.wish("ann", "sit", cents=90_000)
    found: list[Thrown] = []
    for _ in range(count):
        seat = trial.box.seat("ann")
        if seat is not None and not seat.entries:
            trial.wish("ann", "bet", spot="pass", cents=1000)
        custody = trial.box.table.position.custody
        if custody is not None and custody.offer_to == "ann":
            trial.wish("ann", "accept_dice")
        trial.contents.clear()
        before = trial.box.table.position
        trial.wish("ann", "roll")
        (event,) = (one for one in trial.contents if isinstance(one, Rolled))
        records = tuple(row(one) for one in trial.contents if isinstance(one, Record))
        found.append(Thrown(HEADER, row(event), event, records, (row(anchor),), before))
    return found


def row(content: Record | Rolled) -> Row:
    return Row("t1", 1, 0, *write_content(content), "")


def test_throws_that_follow_each_other() -> None:
    verify = RollVerifier()
    assert [verify(one) for one in throws(12)] == [None] * 12


def test_throws_over_a_change_of_chain() -> None:
    """The anchor that was published is that of the first chain; the next one is announced by the locks before it."""
    verify, found = RollVerifier(), throws(70)
    assert [verify(one) for one in found] == [None] * 70
    first_of_chain_2 = RollVerifier()
    assert first_of_chain_2(found[65]) is None, "a throw whose past was lost is not blamed for an anchor it never had"


def test_a_journal_of_several_chains(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `trueodds journal check` walks it."""
    monkeypatch.setattr("trueodds.service.floor.FairDice", partial(FairDice, length=5))
    floor = Floor(journal, KEY, lambda: 1_700_000_000_000, pace=Pace(0, 0))
    try:
        table = floor.create(open_house("new_jersey")).result(20)
        asked = [{"wish": "sit", "cents": 90_000}]
        for _ in range(17):
            asked += [{"wish": "bet", "spot": "pass", "cents": 1000}, {"wish": "roll"}]
        for number, wish in enumerate(asked):
            floor.ask(table, "ann", str(number), wish).result(20)
    finally:
        floor.close()
    revealed = journal.rows_of(table, "revealed")
    assert json.loads(revealed[-1].body)["proof"]["lock"]["chain"] == 4
    assert check_journal(journal, RollVerifier()) == ()


def test_a_second_chain_that_was_not_announced() -> None:
    verify, found = RollVerifier(), throws(66)
    for one in found[:64]:
        assert verify(one) is None
    lock, proof = (row.content().body for row in found[64].records)  # type: ignore[union-attr]  # records
    other = {**proof["proof"], "lock": {**lock["lock"], "anchor": "11" * 32}}
    altered = found[64]._replace(records=(found[64].records[0], row(Record("revealed", {"proof": other}))))
    assert "is not the one announced before" in str(verify(altered))


def test_a_throw_left_out_is_missed() -> None:
    verify, found = RollVerifier(), throws(5)
    verify(found[0])
    assert "is missing before it" in str(verify(found[2]))


@pytest.mark.parametrize("what", ["dice", "lock", "proof", "layout", "table", "anchor", "nothing"])
def test_a_throw_that_does_not_follow(what: str) -> None:
    one, other = throws(2)
    locked, revealed = one.records
    altered = {
        "dice": one._replace(event=NoRoll(Roll(1, 1) if one.event.dice != Roll(1, 1) else Roll(6, 6), "void", ())),
        "lock": one._replace(records=(other.records[0], revealed)),
        "proof": one._replace(records=(locked, other.records[1])),
        "layout": one._replace(position=other.position._replace(serial=99)),  # type: ignore[union-attr]  # it is known
        "table": one._replace(header=Header.of("t2", open_house("new_jersey"), 0)),
        "anchor": one._replace(anchors=(row(Record("anchored", {"anchor": "11" * 32})),)),
        "nothing": one._replace(records=()),
    }
    said = RollVerifier()(altered[what])
    assert said
    assert RollVerifier()(one) is None
