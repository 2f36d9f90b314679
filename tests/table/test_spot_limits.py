"""The minimum and maximum of a spot, for new bets, increases, odds, and in what a table offers."""

from __future__ import annotations

from typing import Any

import pytest

from support.houses import BOOKS, book_default_table
from trueodds import Refused, Table
from trueodds.money import MAX_STAKE_CENTS, Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.strategy import StrategyError, bet, keep
from trueodds.table import Bet, BetMade, Press, Reduce, RefusalCode, TakeDown
from trueodds.wagers import TableRules


def code(table: Table, action: Any) -> RefusalCode | None:
    refusal = table.verify(action)
    return refusal.code if refusal else None


def place_bet(table: Table, spot: str, cents: int, tag: str | None = None, **fields: Any) -> None:
    table.do(Bet("A", Spot.parse(spot), Cents(cents), tag=tag, **fields))


def new_bet(spot: str, cents: int, **fields: Any) -> Bet:
    return Bet("A", Spot.parse(spot), Cents(cents), **fields)


def largest_bet(table: Table, spot: str) -> int | None:
    """Return the largest stake that the table offers on a spot, or 0 if it offers none."""
    for legal in table.legal_actions("A"):
        if legal.verb == "bet" and str(legal.spot) == spot and legal.stake_range is not None:
            return legal.stake_range.max_cents
    return 0


@pytest.mark.parametrize("book", BOOKS)
def test_bets_of_one_player_on_one_spot_count_together(book: str) -> None:
    table = book_default_table(book, {"max_bet": 5000}, ("A", "B"))
    place_bet(table, "pass", 3000)
    assert code(table, new_bet("pass", 2001)) is RefusalCode.ABOVE_MAX
    assert largest_bet(table, "pass") == 2000
    place_bet(table, "pass", 2000)
    assert code(table, new_bet("pass", 1)) is RefusalCode.ABOVE_MAX
    assert largest_bet(table, "pass") == 0
    assert code(table, new_bet("dont_pass", 5000)) is None
    assert code(table, Bet("B", Spot("pass"), Cents(5000))) is None


def test_1_12_b_1_a_player_has_one_fire_bet_of_five_dollars() -> None:
    table = Table("new_jersey", players=["A"])
    table.bet("A", "fire", 5)
    with pytest.raises(Refused) as refused:
        table.bet("A", "fire", 5)
    assert refused.value.code is RefusalCode.ABOVE_MAX
    assert "Fire for $5 with the $5 already there is above the table maximum of $5" in str(refused.value)
    assert "19:47-1.12(b)1" in str(refused.value)


@pytest.mark.parametrize("book", BOOKS)
def test_a_come_bet_that_has_traveled_counts_at_its_number(book: str) -> None:
    table = book_default_table(book, {"max_bet": 5000})
    table.roll("2-2")
    place_bet(table, "come", 4000)
    table.roll("3-3")
    assert largest_bet(table, "come") == 5000
    place_bet(table, "come", 5000)
    table.roll("5-4")
    assert code(table, new_bet("come", 5000)) is None


def test_an_increase_counts_the_other_bets_on_the_number() -> None:
    table = book_default_table("rws", {"max_bet": 5000})
    table.roll("2-2")
    place_bet(table, "come", 2000, "first")
    place_bet(table, "come", 2500, "second")
    table.roll("3-3")
    assert code(table, Press("A", "first", Cents(2501))) is RefusalCode.ABOVE_MAX
    assert code(table, Press("A", "first", Cents(2500))) is None


def test_an_increase_is_held_to_the_sum() -> None:
    table = book_default_table("new_jersey", {"max_bet": 5000})
    place_bet(table, "place:6", 3000, "a")
    place_bet(table, "place:6", 1200, "b")
    assert code(table, Press("A", "b", Cents(2004))) is RefusalCode.ABOVE_MAX
    assert code(table, Press("A", "b", Cents(1998))) is None
    press = next(legal for legal in table.legal_actions("A") if legal.verb == "press" and legal.tag == "b")
    assert press.stake_range is not None
    assert press.stake_range.max_cents == 1998


def test_a_reduction_is_not_held_to_the_maximum() -> None:
    table = book_default_table("rws", {"max_bet": 5000})
    table.roll("2-2")
    place_bet(table, "dont_come", 5000, "a")
    table.roll("3-3")
    place_bet(table, "dont_come", 5000, "b")
    assert code(table, Reduce("A", "b", Cents(4000))) is None


@pytest.mark.parametrize(("book", "spot"), [("new_jersey", "whirl"), ("south_dakota", "whirl"), ("maryland", "whirl")])
def test_a_bet_that_is_broken_down_counts_where_its_parts_lie(book: str, spot: str) -> None:
    table = book_default_table(book, {"max_bet": 5000, "whirl_area": False})
    place_bet(table, "any7", 4500)
    assert code(table, new_bet(spot, 2500)) is None
    assert code(table, new_bet(spot, 3000)) is RefusalCode.ABOVE_MAX
    assert largest_bet(table, spot) == 2500
    place_bet(table, spot, 2500)
    assert code(table, new_bet("any7", 100)) is RefusalCode.ABOVE_MAX
    assert code(table, new_bet("horn", 2800)) is None
    assert code(table, new_bet("horn", 3200)) is RefusalCode.ABOVE_MAX


@pytest.mark.parametrize("book", BOOKS)
def test_the_minimum_holds_for_each_bet(book: str) -> None:
    table = book_default_table(book, {"min_bet": 1000})
    place_bet(table, "pass", 1000)
    assert code(table, new_bet("pass", 999)) is RefusalCode.BELOW_MIN


@pytest.mark.parametrize("book", BOOKS)
def test_odds_have_no_maximum_unless_the_house_posts_one(book: str) -> None:
    kind, base = ("put_odds", "put:6") if book == "south_dakota" else ("pass_odds", "pass")
    free = book_default_table(book, {"max_bet": 1000})
    posted = book_default_table(book, {"max_bet": 1000, "odds_max_bet": 1500})
    for table in (free, posted):
        if book == "south_dakota":
            table.roll("3-3")
        place_bet(table, base, 1000, "p")
        if book != "south_dakota":
            table.roll("3-3")
    assert code(free, new_bet(kind, 2000, base_tag="p")) is None
    assert code(posted, new_bet(kind, 2000, base_tag="p")) is RefusalCode.ABOVE_MAX
    place_bet(posted, kind, 1000, base_tag="p")
    assert code(posted, new_bet(kind, 505, base_tag="p")) is RefusalCode.ABOVE_MAX
    assert code(posted, new_bet(kind, 500, base_tag="p")) is None
    odds = next(legal for legal in posted.legal_actions("A") if legal.verb == "bet" and str(legal.spot) == kind)
    assert odds.stake_range is not None
    assert odds.stake_range.max_cents == 500


def test_no_stake_is_offered_that_is_larger_than_any_stake() -> None:
    options = {"max_bet": MAX_STAKE_CENTS, "horn_high_area": False, "horn_high_unit_rule": False}
    table = book_default_table("maryland", {**options, "odds_take": {"6": 100}})
    assert largest_bet(table, "horn_high:2") == MAX_STAKE_CENTS
    place_bet(table, "pass", 10**14, "p")
    table.roll("3-3")
    assert largest_bet(table, "pass_odds") == MAX_STAKE_CENTS


def test_odds_on_two_bets_on_one_number_count_together() -> None:
    table = book_default_table("new_jersey", {"odds_max_bet": 3000, "odds_facilitate": False})
    table.roll("2-2")
    place_bet(table, "come", 1000, "a")
    place_bet(table, "come", 1000, "b")
    table.roll("3-3")
    place_bet(table, "come", 1000, "c")
    table.roll("4-4")
    place_bet(table, "come_odds", 2000, base_tag="a")
    assert code(table, new_bet("come_odds", 1500, base_tag="b")) is RefusalCode.ABOVE_MAX
    assert code(table, new_bet("come_odds", 1000, base_tag="b")) is None
    assert code(table, new_bet("come_odds", 3000, base_tag="c")) is None


def test_1_6_f_a_payable_excess_over_the_posted_odds_maximum_passes() -> None:
    options = {"odds_max_bet": 700, "chip_unit": 100, "pay_unit": 100}
    table = book_default_table("new_jersey", options)
    place_bet(table, "pass", 500, "p")
    table.roll("3-3")  # pays 6 to 5, so multiples of $5 are payable
    assert code(table, new_bet("pass_odds", 1000, base_tag="p")) is None
    assert code(table, new_bet("pass_odds", 1500, base_tag="p")) is RefusalCode.ABOVE_MAX
    strict = book_default_table("new_jersey", {**options, "odds_facilitate": False})
    place_bet(strict, "pass", 500, "p")
    strict.roll("3-3")
    assert code(strict, new_bet("pass_odds", 1000, base_tag="p")) is RefusalCode.ABOVE_MAX


def test_a_strategy_that_would_pass_the_maximum_is_an_error() -> None:
    rules = TableRules(House(load_book("new_jersey")))
    for spot, stake, up_to in (("fire", 5, 4), ("place:6", 3000, 2), ("pass", 2000, 3)):
        with pytest.raises(StrategyError, match="are together above the table maximum"):
            keep(bet(spot, stake), up_to).validate(rules)
    keep(bet("come", 5000), 3).validate(rules)
    keep(bet("place:6", 1200), 2).validate(rules)


def test_02_d_4_a_maryland_has_sixteen_fire_areas_before_the_table_is_opened() -> None:
    table = Table("maryland", players=[f"P{number}" for number in range(1, 18)])
    assert table.verify(Bet("P16", Spot("fire"), Cents(500))) is None
    refusal = table.verify(Bet("P17", Spot("fire"), Cents(500)))
    assert refusal is not None
    assert refusal.code is RefusalCode.NOT_OFFERED
    assert any(".02D(4)(a)" in reference for reference in refusal.cite)


@pytest.mark.parametrize(
    ("book", "spot", "smallest"),
    [
        ("new_jersey", "buy:4", 20),
        ("new_jersey", "lay:4", 20),
        ("maryland", "buy:9", 20),
        ("rws", "buy:6", 20),
        ("rws", "lay:4", 40),
        ("rws", "lay:10", 40),
        ("rws", "lay:5", 30),
        ("rws", "lay:9", 30),
        ("rws", "lay:6", 24),
        ("rws", "lay:8", 24),
    ],
)
def test_a_default_house_refuses_a_bet_whose_vigorish_rounds_to_nothing(book: str, spot: str, smallest: int) -> None:
    table = Table(book, players=["A"])
    refusal = table.verify(new_bet(spot, smallest * 100 - 100))
    assert refusal is not None
    assert refusal.code is RefusalCode.BELOW_MIN
    assert refusal.option == "free_vig"
    assert f"${smallest}, the smallest stake" in refusal.reason
    assert table.verify(new_bet(spot, smallest * 100)) is None
    table.bet("A", spot, smallest, tag="a")
    refusal = table.verify(Reduce("A", "a", Cents(smallest * 100 - 100)))
    assert refusal is not None
    assert refusal.code is RefusalCode.BELOW_MIN


def test_a_house_may_accept_bets_without_vigorish_where_the_text_leaves_it_open() -> None:
    table = Table(House("new_jersey", {"free_vig": "allow"}), players=["A"])
    (made,) = table.bet("A", "buy:4", 10)
    assert isinstance(made, BetMade)
    assert made.vig_cents == 0


def test_a_house_without_vigorish_accepts_every_stake() -> None:
    assert Table(House("new_jersey", {"vig_bp": 0}), players=["A"]).verify(new_bet("buy:4", 1000)) is None


@pytest.mark.parametrize("book", BOOKS)
def test_a_removed_dont_bet_may_be_made_again_unless_the_house_is_strict(book: str) -> None:
    for option, expected in (("free", None), ("strict", RefusalCode.WINDOW)):
        table = book_default_table(book, {"dont_replace": option})
        place_bet(table, "dont_pass", 1000, "d")
        table.do(TakeDown("A", "d"))
        assert code(table, new_bet("dont_pass", 1000)) is expected
        assert code(table, new_bet("pass", 1000)) is None
        table.roll("5-6")
        assert code(table, new_bet("dont_pass", 1000)) is None


def test_a_strict_house_bars_every_dont_bet_of_that_kind_after_a_reduction() -> None:
    table = book_default_table("new_jersey", {"dont_replace": "strict"}, ("A", "B"))
    place_bet(table, "dont_pass", 1000, "a")
    place_bet(table, "dont_pass", 1000, "b")
    table.do(Reduce("A", "a", Cents(500)))
    assert code(table, Press("A", "b", Cents(2000))) is RefusalCode.WINDOW
    assert code(table, new_bet("dont_pass", 1000)) is RefusalCode.WINDOW
    assert code(table, Bet("B", Spot("dont_pass"), Cents(1000))) is None
    assert Table.from_text(str(table)).position.barred == (("A", "dont_pass"),)
    table.roll("5-6")
    assert table.position.barred == ()


def test_the_bar_on_increasing_a_reduced_dont_bet_is_not_sentosas() -> None:
    for book in BOOKS:
        table = book_default_table(book)
        place_bet(table, "dont_pass", 1000, "d")
        table.do(Reduce("A", "d", Cents(500)))
        expected = None if book == "rws" else RefusalCode.WINDOW
        assert code(table, Press("A", "d", Cents(1000))) is expected
