"""The audit of rolls: every roll is proved by the events before it."""

from __future__ import annotations

import json
from functools import partial

import pytest

from support.table_driver import KEY, TableDriver
from trueodds.dice import Roll
from trueodds.fair import FairDice
from trueodds.journal import Journal, RollEvidence, ServiceEvent, StoredEvent, TableHeader, check_journal
from trueodds.journal.stored_event import encode_event
from trueodds.rulebook import as_house
from trueodds.service.live_table import LiveTable
from trueodds.service.pace import Pace
from trueodds.service.roll_audit import RollAuditor
from trueodds.service.table_manager import TableManager
from trueodds.table import NoRoll, Rolled

HEADER = TableHeader.for_house("t1", as_house("new_jersey"), 0)


def throws(count: int) -> list[RollEvidence]:
    """Roll as a single player, and collect the evidence of each roll as a check does."""
    driver = TableDriver()
    first = driver.controller.open_table(LiveTable.new(driver.table.state), 0).events[0]
    assert isinstance(first, ServiceEvent)
    anchor = ServiceEvent("anchor_published", {"anchor": first.body["anchor"]})
    driver.do("ann", "join", cents=90_000)
    found: list[RollEvidence] = []
    for _ in range(count):
        seat = driver.table.seat_of("ann")
        if seat is not None and not seat.wagers:
            driver.do("ann", "bet", spot="pass", stake_cents=1000)
        custody = driver.table.state.position.custody
        if custody is not None and custody.offered_to == "ann":
            driver.do("ann", "accept_dice")
        driver.events.clear()
        before = driver.table.state.position
        driver.do("ann", "roll")
        (event,) = (one for one in driver.events if isinstance(one, Rolled))
        records = tuple(row(one) for one in driver.events if isinstance(one, ServiceEvent))
        found.append(RollEvidence(HEADER, row(event), event, records, (row(anchor),), before))
    return found


def row(content: ServiceEvent | Rolled) -> StoredEvent:
    return StoredEvent("t1", 1, 0, *encode_event(content), "")


def test_consecutive_rolls_verify() -> None:
    verify = RollAuditor()
    assert [verify(one) for one in throws(12)] == [None] * 12


def test_rolls_verify_over_a_change_of_chain() -> None:
    """The published anchor is that of the first chain; the locks before it announce the next one."""
    verify, found = RollAuditor(), throws(70)
    assert [verify(one) for one in found] == [None] * 70
    first_of_chain_2 = RollAuditor()
    assert first_of_chain_2(found[65]) is None, "a throw whose past was lost is not blamed for an anchor it never had"


def test_a_journal_of_several_chains(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `trueodds journal check` does it."""
    monkeypatch.setattr("trueodds.service.table_manager.FairDice", partial(FairDice, chain_length=5))
    manager = TableManager(journal, KEY, lambda: 1_700_000_000_000, pace=Pace(0, 0))
    try:
        table = manager.create_table(as_house("new_jersey")).result(20)
        asked = [{"command": "join", "cents": 90_000}]
        for _ in range(17):
            asked += [{"command": "bet", "spot": "pass", "stake_cents": 1000}, {"command": "roll"}]
        for number, command in enumerate(asked):
            manager.submit(table, "ann", str(number), command).result(20)
    finally:
        manager.close()
    revealed = journal.events_of_kind(table, "secret_revealed")
    assert json.loads(revealed[-1].body)["proof"]["lock"]["chain"] == 4
    assert check_journal(journal, RollAuditor()) == ()


def test_an_unannounced_second_chain_is_found() -> None:
    verify, found = RollAuditor(), throws(66)
    for one in found[:64]:
        assert verify(one) is None
    lock, proof = (row.decode().body for row in found[64].service_events)  # type: ignore[union-attr]  # records
    other = {**proof["proof"], "lock": {**lock["lock"], "anchor": "11" * 32}}
    altered = found[64]._replace(
        service_events=(found[64].service_events[0], row(ServiceEvent("secret_revealed", {"proof": other})))
    )
    assert "is not the announced one" in str(verify(altered))


def test_a_missing_roll_is_found() -> None:
    verify, found = RollAuditor(), throws(5)
    verify(found[0])
    assert "is missing before it" in str(verify(found[2]))


@pytest.mark.parametrize("what", ["dice", "lock", "proof", "layout", "table", "anchor", "nothing"])
def test_an_altered_roll_is_found(what: str) -> None:
    one, other = throws(2)
    locked, revealed = one.service_events
    altered = {
        "dice": one._replace(event=NoRoll(Roll(1, 1) if one.event.dice != Roll(1, 1) else Roll(6, 6), "void", ())),
        "lock": one._replace(service_events=(other.service_events[0], revealed)),
        "proof": one._replace(service_events=(locked, other.service_events[1])),
        "layout": one._replace(position=other.position._replace(wagers_made=99)),  # type: ignore[union-attr]  # it is known
        "table": one._replace(header=TableHeader.for_house("t2", as_house("new_jersey"), 0)),
        "anchor": one._replace(anchor_events=(row(ServiceEvent("anchor_published", {"anchor": "11" * 32})),)),
        "nothing": one._replace(service_events=()),
    }
    said = RollAuditor()(altered[what])
    assert said
    assert RollAuditor()(one) is None
