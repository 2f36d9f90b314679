"""Maryland's procedures name the right people and agree with the values that the engine uses."""

from __future__ import annotations

import re
from typing import Any

import pytest

from trueodds.craps_table import Table
from trueodds.rulebook import Procedure, load_book
from trueodds.rulebook.toml_reader import thaw
from trueodds.table import Rolled

BOOK = load_book("maryland")
PROCEDURES = {procedure.id: procedure for procedure in BOOK.procedures}


def clause(short: str) -> str:
    return BOOK.clause.format(short)


def terms_of(kind: str) -> dict[str, Any]:
    """Return the terms of a wager as the file has them."""
    return {key: thaw(value) for key, value in BOOK.wagers[kind].terms.items()}


def text_of(procedure: Procedure) -> str:
    return " ".join((procedure.title, procedure.when, *procedure.steps))


def numbers_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


@pytest.mark.parametrize(
    ("short", "procedure_id", "by"),
    [
        (".02A", "table_shape", ()),
        (".02D", "layout_submitted", ("facility operator",)),
        (".02D(1)", "layout_contents", ("facility operator",)),
        (".02D(4)(d)", "fire_areas", ("facility operator",)),
        (".02D(4)(e)(iii)", "fire_notice", ("facility operator",)),
        (".02D(5)(b)", "bonus_areas", ("facility operator",)),
        (".02E", "drop_and_tip_boxes", ("facility operator",)),
        (".03A(3)(a)", "come_bets_moved", ("dealer",)),
        (".03A(5)(a)", "called_on", ("player", "dealer")),
        (".03A(42)(a)", "called_off", ("player", "dealer")),
        (".03C", "limits_posted", ()),
        (".04C(2)", "cash_bet", ("player", "dealer")),
        (".05I", "rules_submission", ("facility operator",)),
        (".12B(2)", "bonus_bets_placed", ("player", "dealer")),
        (".12B(3)", "bonus_numbers_marked", ("dealer",)),
        (".12B(3)(b)", "bonus_buttons", ("boxperson", "dealer")),
        (".12B(5)", "bonus_settled", ("dealer",)),
    ],
)
def test_each_clause_is_carried_out_by_the_people_it_names(short: str, procedure_id: str, by: tuple[str, ...]) -> None:
    procedure = PROCEDURES[procedure_id]
    assert clause(short) in procedure.cite
    assert procedure.by == by


def test_the_people_are_those_that_the_text_names() -> None:
    people = {person for procedure in PROCEDURES.values() for person in procedure.by}
    assert people == {"player", "dealer", "boxperson", BOOK.operator}


@pytest.mark.parametrize(("word", "option"), [("Fire Bet", "fire_offered"), ("Bonus Craps", "bonus_offered")])
def test_a_procedure_of_a_side_bet_depends_on_its_option(word: str, option: str) -> None:
    with_option = {procedure.id for procedure in PROCEDURES.values() if option in procedure.options}
    about = {procedure.id for procedure in PROCEDURES.values() if word in text_of(procedure)}
    assert about - {"rules_submission"} == with_option  # the Rules Submission covers several wagers


def test_every_wager_with_a_place_of_its_own_has_it_on_the_layout() -> None:
    """Place, buy and lay bets have no box of their own in the text; the side bets are placed by their procedures."""
    on_layout = {cite for procedure in PROCEDURES.values() if procedure.topic == "layout" for cite in procedure.cite}
    elsewhere = {"place", "buy", "lay", "fire", "small", "tall", "all"}
    for kind, wager in BOOK.wagers.items():
        if kind not in elsewhere and wager.family != "odds":
            for spot in wager.spots():
                assert wager.cite("def", spot.selection)[0] in on_layout, spot


def test_the_boxes_show_what_wins() -> None:
    hardways = re.findall(r"(\d)-(\d)", text_of(PROCEDURES["hardway_boxes"]))
    assert [int(one) + int(other) for one, other in hardways] == [
        int(spot.selection) for spot in BOOK.wagers["hard"].spots()
    ]
    assert all(one == other for one, other in hardways)
    field = terms_of("field")["wins"]
    assert numbers_in(text_of(PROCEDURES["field_box"])) == sorted(total for row in field for total in row["on"])


def test_the_numbers_in_the_steps_are_those_of_the_engine() -> None:
    spots = BOOK.custody.fire_spots
    assert spots is not None
    assert f"at most {spots.value} areas" in text_of(PROCEDURES["fire_areas"])
    assert BOOK.games["mini_craps"].max_seats == 9
    assert "at most nine players" in text_of(PROCEDURES["seats_at_mini_craps"])
    assert PROCEDURES["seats_at_mini_craps"].games == ("mini_craps",)
    assert tuple(numbers_in(PROCEDURES["come_bets_moved"].when)) == BOOK.points
    (bar,) = numbers_in(PROCEDURES["barred_bets_returned"].title)
    assert BOOK.options["dont_bar"].default == bar
    assert "2 to 6 and 8 to 12" in text_of(PROCEDURES["bonus_areas"])
    totals = terms_of("all")["collect"]["set"]
    assert totals == [*range(2, 7), *range(8, 13)]


def test_the_wagers_that_may_be_called_on_are_those_that_are_off() -> None:
    off = BOOK.options["comeout_off"].default
    assert isinstance(off, tuple)
    called = text_of(PROCEDURES["called_on"])
    for kind in set(off) - {"come_odds"}:  # Regulation .06 on odds is not printed
        assert BOOK.wagers[kind].title in called
    assert "lay" not in off
    assert BOOK.wagers["lay"].title in text_of(PROCEDURES["called_off"])


def test_a_bet_without_a_box_is_broken_down_as_the_engine_does() -> None:
    horn_high, whirl = PROCEDURES["bet_without_box"].steps
    words = {4: "four units", 1: "one unit"}
    for kind, step in (("horn_high", horn_high), ("whirl", whirl)):
        for part, units in terms_of(kind)["no_box"]:
            assert words[units] in step
            if part != "high":
                assert BOOK.wagers[part].title in step


def test_the_rules_submission_lists_every_choice_that_the_text_makes_the_operator_declare() -> None:
    declared = {".03A(41)", ".03A(42)", ".05F", ".05G(3)(a)", ".05I"}
    procedure = PROCEDURES["rules_submission"]
    assert {clause(short) for short in declared} <= set(procedure.cite)
    assert set(procedure.options) == {"buy_offered", "lay_offered", "fire_table", "vig_bp", "vig_timing"}


def test_the_text_defines_six_terms() -> None:
    assert [definition.term for definition in BOOK.definitions] == [
        "Buy Bet", "Call Bet", "come-out point", "come-out roll", "come point", "Lay Bet",
    ]  # fmt: skip
    for number, definition in enumerate(BOOK.definitions, 1):
        assert definition.cite[0] == clause(f".01B({number})")
    for term in ("come-out point", "come point"):
        (definition,) = [one for one in BOOK.definitions if one.term == term]
        assert tuple(numbers_in(definition.meaning)) == BOOK.points


@pytest.mark.parametrize(
    "rolls", ["1-1 1-2 2-2 2-3 3-3", "3-3 2-3 2-2 1-2 1-1", "2-3 1-1 3-3 2-3 1-2 2-2"], ids=["up", "down", "mixed"]
)
def test_12b6_the_numbers_of_a_bonus_wager_may_come_in_any_order(rolls: str) -> None:
    table = Table("maryland", players=["Ann"])
    table.bet("Ann", "pass", 10)
    table.bet("Ann", "small", 10)
    for roll in rolls.split():
        events = table.roll(roll)
    (won,) = [
        one for event in events if isinstance(event, Rolled) for one in event.settled if "All Small" in one.sentence
    ]
    assert won.settlement.net_cents == 340_00
    assert clause(".12B(6)") in won.sentence
