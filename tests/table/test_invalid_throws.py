"""Invalid throws (section 5.4 of the rules): which throws are invalid in each book and game, and who decides."""

from __future__ import annotations

import pytest

from support.houses import BOOKS, book_default_table
from trueodds.dice import Roll
from trueodds.rulebook import load_book
from trueodds.table import NoRoll, RefusalCode, Refused, RollDice, Rolled

NEW_JERSEY_LIKE = ("new_jersey", "maryland", "south_dakota", "win_line")
AUTOMATIC = (
    "off_table",
    "die_on_die",
    "no_line_bet",
    "wrong_shooter",
    "cocked_multi_side",
    "cocked_unreadable",
)
CALLED = ("not_simultaneous", "no_end_wall", "on_bank", "in_dice_cup", "on_rail", "cheating_device")
GROUND_SIX = ("no_effort", "player_interference", "other_improper")
COUNTS = ("on_chips", "cocked_one_side", "cocked_readable", "hits_chips")
SENTOSA_VOID = (
    "not_simultaneous", "no_effort", "no_line_bet", "off_table", "die_on_die", "on_bank", "in_dice_cup", "on_rail",
    "on_chips", "cocked_multi_side", "cocked_unreadable", "wrong_shooter", "player_interference",
)  # fmt: skip
SENTOSA_VALID = (
    "cocked_one_side", "cocked_readable", "no_end_wall", "hits_chips", "cheating_device", "other_improper", "dispute",
)  # fmt: skip
ALL = {*AUTOMATIC, *CALLED, *GROUND_SIX, *COUNTS, "dispute"}


def counts(book: str, game: str, action: RollDice) -> bool:
    table = book_default_table(book, {"game": game})
    table.bet("A", "pass", 10, tag="p")
    table.roll("2-4")
    before = table.position
    (event,) = table.do(action)
    if isinstance(event, NoRoll):
        assert event.reason == action.irregularity
        assert event.cite
        assert table.position == before
        return False
    assert isinstance(event, Rolled)
    return True


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_has_a_row_for_every_irregularity(book: str) -> None:
    assert set(load_book(book).irregular_throws) == ALL


@pytest.mark.parametrize("book", NEW_JERSEY_LIKE)
@pytest.mark.parametrize("irregular", sorted(ALL))
@pytest.mark.parametrize("called_by", [None, "boxperson", "stickperson", "dealer", "floorperson", "player"])
def test_craps_by_new_jersey_s_grounds(book: str, irregular: str, called_by: str | None) -> None:
    void = irregular in AUTOMATIC or (irregular in CALLED + GROUND_SIX and called_by in ("boxperson", "stickperson"))
    assert counts(book, "craps", RollDice(Roll(3, 4), irregularity=irregular, called_by=called_by)) is not void


@pytest.mark.parametrize("book", ["new_jersey", "maryland"])
@pytest.mark.parametrize("irregular", sorted(ALL))
@pytest.mark.parametrize("called_by", [None, "boxperson", "stickperson", "dealer", "floorperson"])
def test_mini_craps_callers(book: str, irregular: str, called_by: str | None) -> None:
    callers = ("dealer", "stickperson", "floorperson") if irregular in CALLED else ("dealer", "stickperson")
    void = irregular in AUTOMATIC or (irregular in CALLED + GROUND_SIX and called_by in callers)
    assert counts(book, "mini_craps", RollDice(Roll(3, 4), irregularity=irregular, called_by=called_by)) is not void


@pytest.mark.parametrize("irregular", CALLED + GROUND_SIX)
def test_automated_craps_has_no_staff_to_call_a_roll(irregular: str) -> None:
    assert counts("new_jersey", "automated_craps", RollDice(Roll(3, 4), irregularity=irregular, called_by="boxperson"))


@pytest.mark.parametrize("irregular", SENTOSA_VOID)
def test_sentosa_3_10_no_roll(irregular: str) -> None:
    assert not counts("rws", "craps", RollDice(Roll(3, 4), irregularity=irregular))


@pytest.mark.parametrize("irregular", SENTOSA_VALID)
@pytest.mark.parametrize("called_by", [None, "boxperson"])
def test_sentosa_counts_what_is_not_on_its_list(irregular: str, called_by: str | None) -> None:
    assert counts("rws", "craps", RollDice(Roll(3, 4), irregularity=irregular, called_by=called_by))


@pytest.mark.parametrize(
    ("game", "called_by", "ruling", "valid"),
    [
        ("craps", "boxperson", "void", False),
        ("craps", None, "void", False),
        ("craps", "stickperson", "void", True),
        ("craps", "boxperson", "face", True),
        ("mini_craps", "floorperson", "void", False),
        ("mini_craps", "boxperson", "void", True),
        ("automated_craps", None, "void", True),
    ],
)
def test_1_10_a_2_a_dispute_is_decided_by_the_right_person(
    game: str, called_by: str | None, ruling: str, valid: bool
) -> None:
    action = RollDice(Roll(3, 4), irregularity="dispute", called_by=called_by, ruling=ruling)
    assert counts("new_jersey", game, action) is valid


@pytest.mark.parametrize("irregular", ["on_chips", "cocked_one_side"])
def test_1_10_a_1_a_cocked_die_reads_opposite_its_resting_side(irregular: str) -> None:
    table = book_default_table("new_jersey")
    for die, resting, total in ((0, 1, 10), (1, 6, 4), (1, 2, 8)):
        (event,) = table.do(RollDice(Roll(3, 4), irregularity=irregular, cocked=(die, resting)))
        assert isinstance(event, Rolled)
        assert (event.total, event.dice) == (total, Roll(3, 4))


def test_an_unknown_irregularity_is_refused() -> None:
    table = book_default_table("new_jersey")
    with pytest.raises(Refused) as caught:
        table.do(RollDice(Roll(3, 4), irregularity="ricochet"))
    assert caught.value.code is RefusalCode.NO_SUCH_THROW


def test_an_invalid_throw_does_not_close_the_fire_window_or_end_a_call() -> None:
    table = book_default_table("new_jersey")
    table.do(RollDice(Roll(3, 4), irregularity="off_table"))
    assert table.bet("A", "fire", 1)
