"""The dealer's drill: every book and level gives exercises that the engine settles and marks."""

from __future__ import annotations

import pickle
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trueodds.dice import Roll
from trueodds.drill import DRILL_PLAYER, LEVELS, Exercise, Level, UnknownTagError, correct_answer, grade, make_exercise
from trueodds.money import Cents
from trueodds.rulebook import Spot, as_house, book_ids, load_book
from trueodds.table import Bet, Dealer, Position, Seat, Settlement, TaggedWager, new_position
from trueodds.wagers import Result, TableRules, Wager

DEALERS = {name: Dealer(TableRules(as_house(name))) for name in book_ids()}
ALL = list(product(book_ids(), LEVELS))
each = pytest.mark.parametrize(("book", "level"), ALL, ids=lambda one: one if isinstance(one, str) else str(one.number))
NUMBERS = range(15)


def rulings(dealer: Dealer, exercise: Exercise) -> list[Settlement]:
    return [one.settlement for one in exercise.settle(dealer).settled]


@each
def test_every_exercise_is_settled_and_correct_answers_are_correct(book: str, level: Level) -> None:
    dealer = DEALERS[book]
    paid = 0
    for number in NUMBERS:
        exercise = make_exercise(dealer, level, number)
        found = exercise.settle(dealer).settled
        assert found
        assert any(one.settlement.result not in {Result.NO_ACTION, Result.OFF} for one in found)
        assert all(level.allows(Spot(one.settlement.spot.kind)) or level.allows(one.settlement.spot) for one in found)
        sheet = {one.tag: correct_answer(one.settlement) for one in found}
        assert all(one.is_correct for one in grade(dealer, exercise, sheet))
        paid += any(one.settlement.result is Result.WIN for one in found)
    assert paid > len(NUMBERS) / 2


@each
def test_an_exercise_is_made_from_its_number_alone(book: str, level: Level) -> None:
    again = Dealer(TableRules(as_house(book)))
    made = [make_exercise(DEALERS[book], level, number) for number in NUMBERS]
    assert made == [make_exercise(again, level, number) for number in NUMBERS]
    assert len({(one.position, one.roll) for one in made}) > len(NUMBERS) / 2


@settings(max_examples=40)
@given(st.sampled_from(ALL), st.integers(0, 2**31 - 1))
def test_wrong_answers_are_named(which: tuple[str, Level], number: int) -> None:
    book, level = which
    dealer = DEALERS[book]
    exercise = make_exercise(dealer, level, number)
    found = exercise.settle(dealer).settled
    for wrong in found:
        sheet = {one.tag: correct_answer(one.settlement) for one in found}
        answer = sheet[wrong.tag]
        sheet[wrong.tag] = answer + 100 if isinstance(answer, int) else 100
        assert [one.settled.tag for one in grade(dealer, exercise, sheet) if not one.is_correct] == [wrong.tag]
        del sheet[wrong.tag]
        marked = grade(dealer, exercise, sheet)
        assert [(one.settled.tag, one.answer) for one in marked if not one.is_correct] == [(wrong.tag, None)]


def test_an_unknown_tag_is_refused() -> None:
    dealer = DEALERS["new_jersey"]
    with pytest.raises(UnknownTagError, match="no wager 'x'"):
        grade(dealer, make_exercise(dealer, LEVELS[0], 1), {"x": 100})


def test_a_buy_bet_is_paid_minus_vigorish() -> None:
    dealer = Dealer(
        TableRules(as_house("new_jersey").with_changes({"vig_timing": {"buy": "on_win"}, "after_win": "down"}))
    )
    position, _ = dealer.act(new_position((DRILL_PLAYER,)), Bet(DRILL_PLAYER, Spot("pass"), Cents(1000)))
    position = position._replace(puck=6, hand_stage="under_way")
    position, _ = dealer.act(position, Bet(DRILL_PLAYER, Spot("buy", (4,)), Cents(2000)))
    exercise = Exercise(LEVELS[2], 0, position, Roll.parse("1-3"))
    assert [correct_answer(one) for one in rulings(dealer, exercise)] == ["stays", 4000 - 100]


@pytest.mark.parametrize(
    ("spot", "puck", "roll", "right"),
    [
        ("pass", 6, "2-5", "loses"),
        ("pass", 6, "2-4", 1200),
        ("pass", 6, "2-3", "stays"),
        ("come", 6, "2-3", "moves"),
        ("dont_pass", 0, "6-6", "returned"),
        ("place:6", 6, "2-4", 1400),
        ("place:6", 0, "2-4", "stays"),
    ],
)
def test_correct_answers(spot: str, puck: int, roll: str, right: int | str) -> None:
    wager = Wager(Spot.parse(spot), Cents(1200))
    position = Position(puck, "under_way", (Seat(DRILL_PLAYER, True, (TaggedWager("1", wager),)),), wagers_made=1)
    exercise = Exercise(LEVELS[0], 0, position, Roll.parse(roll))
    assert [correct_answer(one) for one in rulings(DEALERS["new_jersey"], exercise)] == [right]


def test_levels_contain_their_focus() -> None:
    """Odds, vigorish, calls, breakage, combinations and hands come up, and not before their level."""
    dealer = DEALERS["maryland"]
    seen = {
        level.number: [one for number in range(120) for one in rulings(dealer, make_exercise(dealer, level, number))]
        for level in LEVELS
    }
    kinds = {level: {one.spot.kind for one in found} for level, found in seen.items()}
    assert kinds[1] == {"pass", "dont_pass", "field", "place"}
    assert {one.spot.pick for one in seen[1] if one.spot.kind == "place"} == {(6,), (8,)}
    assert {"come", "dont_come", "hard", "yo"} <= kinds[2]
    assert any(one.result is Result.MOVED for one in seen[2])
    assert {"pass_odds", "come_odds", "buy", "lay"} <= kinds[3]
    assert not kinds[3] & {"horn", "hop", "fire"}
    assert any(one.vig_cents for one in seen[3])
    assert any(one.result is Result.OFF for one in seen[3])
    assert not any(one.breakage_cents for level in (1, 2, 3) for one in seen[level])
    assert {"horn", "horn_high", "hop", "fire", "small", "six_seven_eight"} <= kinds[4]
    assert any(one.breakage_cents for one in seen[4])


def test_the_last_level_contains_every_wager() -> None:
    for name in book_ids():
        dealer, book = DEALERS[name], load_book(name)
        offered = {
            spot.kind
            for spot, rule in dealer.rules.wager_rules.items()
            if rule.availability.offered and not rule.breakdown
        }
        found = {
            one.spot.kind for number in range(120) for one in rulings(dealer, make_exercise(dealer, LEVELS[-1], number))
        }
        assert offered <= found, book.title


def test_the_error_of_an_unknown_tag_pickles() -> None:
    copy = pickle.loads(pickle.dumps(UnknownTagError("9")))  # noqa: S301  made here
    assert (copy.tag, str(copy)) == ("9", "the exercise has no wager '9'")
