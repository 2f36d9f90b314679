"""New Jersey, N.J.A.C. 19:47-1: who does what in which game, and the clause that each value comes from."""

from __future__ import annotations

from typing import Any

import pytest

from trueodds.rulebook import Book, House, HouseError, Procedure, load_book

BOTH = ("craps", "mini_craps")


def clause(text: str) -> str:
    return f"N.J.A.C. 19:47-{text}"


def book() -> Book:
    return load_book("new_jersey")


def procedure(name: str) -> Procedure:
    return next(row for row in book().procedures if row.id == name)


# Clause, the procedure that carries it, who does it, and in which games (none: in all).
DUTIES: list[tuple[str, str, tuple[str, ...], tuple[str, ...]]] = [
    ("1.2(a)5", "calling_bets_on", ("player", "dealer"), ()),
    ("1.3(a)1", "late_bets_craps", ("dealer", "boxperson"), ("craps",)),
    ("1.3(a)2", "late_bets_mini_craps", ("dealer", "floorperson"), ("mini_craps",)),
    ("1.3(b)", "tender", ("player", "dealer"), ()),
    ("1.3(e)", "calling_bets_on", ("player", "dealer"), ()),
    ("1.3(f)", "seats", ("player",), ("mini_craps",)),
    ("1.4(a)", "odds_on_layouts", ("casino licensee",), ()),
    ("1.4(a)", "odds_in_publications", ("casino licensee",), ()),
    ("1.4(b)", "uniform_odds", ("casino licensee",), ()),
    ("1.4(e)", "fire_table_selection", ("casino licensee",), ("craps",)),
    ("1.5(a)", "buy_bet_notices", ("casino licensee",), ()),
    ("1.5(a)", "buy_bets_in_checklist", ("casino licensee",), ()),
    ("1.5(c)", "no_other_charges", ("casino licensee",), ()),
    ("1.6(f)", "posted_maximum", ("casino licensee",), ()),
    ("1.7(a)", "dice_set", (), BOTH),
    ("1.7(a)", "dice_control_craps", ("stickperson",), ("craps",)),
    ("1.7(a)", "dice_control_mini_craps", ("dealer", "stickperson"), ("mini_craps",)),
    ("1.7(b)1", "first_shooter_craps", ("stickperson",), ("craps",)),
    ("1.7(b)2", "first_shooter_mini_craps", ("dealer", "stickperson"), ("mini_craps",)),
    ("1.7(c)1", "choosing_dice_craps", ("shooter", "stickperson"), ("craps",)),
    ("1.7(c)2", "choosing_dice_mini_craps", ("shooter", "dealer", "stickperson"), ("mini_craps",)),
    ("1.8", "throwing", ("shooter",), BOTH),
    ("1.9(c)", "no_roll_craps", ("boxperson", "stickperson"), ("craps",)),
    ("1.9(c)", "no_roll_mini_craps", ("dealer", "stickperson", "floorperson"), ("mini_craps",)),
    ("1.9(e)2", "no_roll_callers", ("casino licensee",), BOTH),
    ("1.10(a)", "calling_roll_craps", ("stickperson",), ("craps",)),
    ("1.10(a)", "calling_roll_mini_craps", ("dealer", "stickperson"), ("mini_craps",)),
    ("1.10(a)2.i", "face_dispute_craps", ("boxperson",), ("craps",)),
    ("1.10(a)2.ii", "face_dispute_mini_craps", ("floorperson",), ("mini_craps",)),
    ("1.10(b)", "settling_roll_craps", ("stickperson",), ("craps",)),
    ("1.10(c)", "settling_roll_mini_craps", ("dealer", "stickperson"), ("mini_craps",)),
    ("1.11(a)1", "keeping_or_passing_dice", ("shooter",), ()),
    ("1.11(a)2", "ordering_pass_craps", ("boxperson",), ("craps",)),
    ("1.11(a)2", "ordering_pass_mini_craps", ("dealer",), ("mini_craps",)),
    ("1.11(b)", "line_bet_declined_craps", ("stickperson",), ("craps",)),
    ("1.11(b)", "line_bet_declined_mini_craps", ("dealer", "stickperson"), ("mini_craps",)),
    ("1.11(c)", "next_shooter_craps", ("stickperson",), ("craps",)),
    ("1.11(c)", "next_shooter_mini_craps", ("dealer", "stickperson"), ("mini_craps",)),
    ("1.11(d)", "choosing_dice_craps", ("shooter", "stickperson"), ("craps",)),
    ("1.12(a)1", "placing_fire_bets", ("player",), ("craps",)),
    ("1.12(a)3", "bringing_in_fire_bets", ("dealer",), ("craps",)),
    ("1.12(a)4", "marking_fire_points", ("dealer",), ("craps",)),
    ("1.12(a)4", "fire_point_markers", ("games personnel",), ("craps",)),
    ("1.12(a)6", "notifying_surveillance", (), ("craps",)),
    ("1.12(b)2", "marking_fire_points", ("dealer",), ("craps",)),
]


@pytest.mark.parametrize(("text", "name", "by", "games"), DUTIES, ids=[f"{row[0]}-{row[1]}" for row in DUTIES])
def test_a_clause_says_who_does_it_in_which_game(
    text: str, name: str, by: tuple[str, ...], games: tuple[str, ...]
) -> None:
    row = procedure(name)
    assert clause(text) in row.cite
    assert (row.by, row.games) == (by, games)


@pytest.mark.parametrize("game", BOTH)
def test_the_officials_of_a_procedure_are_those_of_the_rules_that_the_table_enforces(game: str) -> None:
    rules = book()
    assert procedure(f"late_bets_{game}").by == rules.games[game].late_bet_confirmers
    assert procedure(f"no_roll_{game}").by == rules.irregular_throws["no_end_wall"].officials[game]
    assert procedure(f"face_dispute_{game}").by == rules.irregular_throws["dispute"].officials[game]
    assert rules.custody.order_by is not None
    assert procedure(f"ordering_pass_{game}").by == rules.custody.order_by.value[game]


def test_every_procedure_of_the_fire_bet_is_for_craps_and_depends_on_its_offer() -> None:
    rows = [row for row in book().procedures if "fire" in row.id or row.topic == "fire"]
    assert len(rows) == 8
    for row in rows:
        assert row.games == book().wagers["fire"].terms["games"]
        assert "fire_offered" in row.options


@pytest.mark.parametrize("game", BOTH)
def test_1_10_the_dice_are_collected_and_the_bets_settled_before_the_shooter_gets_them_back(game: str) -> None:
    collect, settle, give_back = procedure(f"settling_roll_{game}").steps
    assert "collects the dice with the stick" in collect
    assert "settled" in settle
    assert "passes the dice to the shooter with the stick" in give_back


def test_1_1_defines_three_terms() -> None:
    cites = {row.term: row.cite for row in book().definitions}
    assert cites["come-out point"] == (clause("1.1 'Come Out Point'"),)
    assert cites["come-out roll"] == (clause("1.1 'Come Out Roll'"),)
    assert cites["come point"] == (clause("1.1 'Come Point'"),)


def test_1_2_a_limits_the_offer_of_fire_bets_to_craps() -> None:
    assert clause("1.2(a)") in book().wagers["fire"].cite("offered")


@pytest.mark.parametrize(
    ("changes", "clauses"),
    [
        ({"odds_offered": ["pass_odds"]}, ("1.6(a)", "1.6(b)", "1.6(c)", "1.6(d)")),
        ({"odds_take": {"4": 0}}, ("1.6(a)", "1.6(c)")),
        ({"odds_lay": {"4": 0}}, ("1.6(b)", "1.6(d)")),
        ({"paytable": {"take4": "3 to 1"}}, ("1.5(a)", "1.6(a)", "1.6(c)", "1.6(e)")),
        ({"paytable": {"lay4": "2 to 3"}}, ("1.5(b)", "1.6(b)", "1.6(d)", "1.6(e)")),
    ],
    ids=str,
)
def test_a_forbidden_house_names_every_clause_that_forbids_it(
    changes: dict[str, Any], clauses: tuple[str, ...]
) -> None:
    with pytest.raises(HouseError) as caught:
        House(book(), changes)
    assert set(map(clause, clauses)) <= set(caught.value.cite)


@pytest.mark.parametrize(
    "code", ["not_simultaneous", "no_end_wall", "on_bank", "in_dice_cup", "on_rail", "cheating_device"]
)
def test_1_9_e_names_the_callers_game_by_game(code: str) -> None:
    assert {clause("1.9(e)1"), clause("1.9(e)2")} <= set(book().irregular_throws[code].cite)


def test_1_10_a_2_names_who_decides_a_dispute_game_by_game() -> None:
    assert {clause("1.10(a)2.i"), clause("1.10(a)2.ii")} <= set(book().irregular_throws["dispute"].cite)


def test_custody_cites_the_paragraph_of_each_game() -> None:
    custody = book().custody
    assert custody.cite("first_offer") == (clause("1.7(b)1"), clause("1.7(b)2"))
    assert custody.cite("pass_after") == (clause("1.11(a)"), clause("1.11(a)1"))


def test_1_12_b_says_how_the_points_of_a_fire_bet_count() -> None:
    assert {clause("1.12(b)2"), clause("1.12(b)3")} <= set(book().wagers["fire"].cite("win"))
