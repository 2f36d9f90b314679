"""Procedures of the staff, recorded as events where the house says so."""

from __future__ import annotations

import dataclasses

import pytest

from trueodds.craps_table import Table
from trueodds.rulebook import House, Procedure, load_book
from trueodds.table import (
    AcceptDice,
    Event,
    OpenTable,
    PassDice,
    ProcedurePerformed,
    Rolled,
    money_movements,
)

BOOKS = ("maryland", "new_jersey", "rws", "south_dakota", "win_line")


def recording_table(book: str, players: tuple[str, ...] = ("Ann", "Bob")) -> Table:
    return Table(House(book, {"record_procedures": True}), players=list(players))


def performed(events: tuple[Event, ...]) -> dict[str, tuple[str, ...]]:
    """Return the details of the procedures among events, by the trigger of the procedure."""
    return {procedure_of(event).trigger: event.details for event in events if isinstance(event, ProcedurePerformed)}


def procedure_of(event: ProcedurePerformed) -> Procedure:
    (found,) = [
        row
        for book in BOOKS
        for row in load_book(book).procedures
        if (row.id, row.cite) == (event.procedure, event.cite)
    ]
    assert (found.title, found.by) == (event.title, event.by)
    return found


@pytest.mark.parametrize("book", ["maryland", "new_jersey", "rws"])
def test_the_stick_calls_the_total_after_each_roll(book: str) -> None:
    table = recording_table(book)
    table.bet("Ann", "pass", 10)
    events = table.roll("2-4")
    assert performed(events)["rolled"] == ("6",)
    assert [type(event) for event in events].index(Rolled) == 0
    assert str(events[1].sentence).split(":")[0].endswith(" - 6")


@pytest.mark.parametrize("book", ["maryland", "new_jersey"])
def test_fire_bets_are_gathered_once_and_marked_at_each_new_point(book: str) -> None:
    table = recording_table(book)
    table.bet("Bob", "fire", 5)
    table.bet("Ann", "fire", 2)
    table.bet("Ann", "pass", 10)
    first = table.roll("2-2")
    assert isinstance(first[0], ProcedurePerformed)
    assert performed(first)["fire_gathered"] == ("Ann Fire $2 (area 1)", "Bob Fire $5 (area 2)")
    assert "fire_marked" not in performed(first)
    made = performed(table.roll("1-3"))
    assert made["fire_marked"] == ("4 is point 1",)
    assert "fire_gathered" not in made
    table.roll("1-3")
    assert "fire_marked" not in performed(table.roll("2-2"))
    table.roll("3-3")
    assert performed(table.roll("3-3"))["fire_marked"] == ("6 is point 2",)


def test_fire_bets_on_an_earlier_shooter_are_not_gathered_again() -> None:
    table = recording_table("new_jersey")
    table.bet("Ann", "pass", 10)
    table.bet("Bob", "fire", 5)
    table.do(OpenTable())
    table.do(AcceptDice("Ann"))
    assert "fire_gathered" in performed(table.roll("5-6", "Ann"))
    table.do(PassDice("Ann"))
    table.do(AcceptDice("Bob"))
    table.bet("Bob", "pass", 10)
    assert "fire_gathered" not in performed(table.roll("2-2", "Bob"))


def test_a_bonus_bet_made_on_a_later_come_out_is_gathered_too() -> None:
    house = House("maryland", {"record_procedures": True, "bonus_window": "any_come_out"})
    table = Table(house, players=["Ann"])
    table.bet("Ann", "pass", 10)
    table.roll("5-6")
    table.bet("Ann", "small", 5)
    assert performed(table.roll("2-2"))["bonus_gathered"] == ("Ann All Small $5 (area 1)",)


def test_bonus_bets_are_gathered_and_marked_in_maryland() -> None:
    table = recording_table("maryland")
    table.bet("Ann", "small", 5)
    first = performed(table.roll("2-2"))
    assert first["bonus_gathered"] == ("Ann All Small $5 (area 1)",)
    assert first["bonus_marked"] == ("4",)
    assert "bonus_marked" not in performed(table.roll("2-2"))
    assert performed(table.roll("1-2"))["bonus_marked"] == ("3",)


def test_the_dice_are_offered_chosen_and_passed_on() -> None:
    table = recording_table("new_jersey")
    table.bet("Ann", "pass", 10)
    assert performed(table.do(OpenTable())) == {"table_opened": ("Ann",)}
    assert performed(table.do(AcceptDice("Ann"))) == {"shooter_chosen": ("Ann",)}
    assert performed(table.do(PassDice("Ann"))) == {"dice_passed": ("Bob",)}


@pytest.mark.parametrize("book", BOOKS)
def test_a_house_records_no_procedure_by_default(book: str) -> None:
    table = Table(book, players=["Ann"])
    table.bet("Ann", "pass", 10)
    assert performed(table.roll("2-4")) == {}


@pytest.mark.parametrize("book", BOOKS)
def test_procedures_move_no_chips_and_change_nothing(book: str) -> None:
    recording, plain = recording_table(book), Table(book, players=["Ann", "Bob"])
    for table in (recording, plain):
        table.bet("Ann", "pass", 10)
        table.bet("Bob", "dont_pass", 10)
        for dice in ("2-4", "1-1", "3-3", "5-6", "4-4", "3-4"):
            events = table.roll(dice)
            for event in events:
                if isinstance(event, ProcedurePerformed):
                    assert money_movements(event) == ()
                    assert event.cite
    assert recording.position == plain.position
    assert recording.racks_cents == plain.racks_cents


def test_every_trigger_of_a_book_belongs_to_an_event_that_can_happen() -> None:
    """A procedure for a bet that the book does not have could never be recorded."""
    for book in BOOKS:
        kinds = set(load_book(book).wagers)
        for procedure in load_book(book).procedures:
            if procedure.trigger.startswith("fire_"):
                assert "fire" in kinds
            if procedure.trigger.startswith("bonus_"):
                assert "small" in kinds


def test_an_event_without_people_has_a_sentence() -> None:
    event = ProcedurePerformed("x", "Calling the roll", (), ("6",), ("rule 3",))
    assert event.sentence == "Calling the roll - 6: rule 3"
    assert dataclasses.replace(event, by=("dealer", "stickperson")).sentence == (
        "Calling the roll (dealer, stickperson) - 6: rule 3"
    )
