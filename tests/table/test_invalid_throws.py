"""Section 5.4: what makes a throw invalid, in each book and game, and who may say so."""

from __future__ import annotations

import pytest

from houses import BOOKS, plain_table
from trueodds.dice import Roll
from trueodds.rulebook import load_book
from trueodds.table import Code, NoRoll, Refused, Rolled, Throw

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


def counts(book: str, game: str, throw: Throw) -> bool:
    table = plain_table(book, {"game": game})
    table.bet("A", "pass", 1000, tag="p")
    table.roll("2-4")
    before = table.position
    (event,) = table.do(throw)
    if isinstance(event, NoRoll):
        assert event.reason == throw.irregular
        assert event.cite
        assert table.position == before
        return False
    assert isinstance(event, Rolled)
    return True


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_has_a_row_for_every_irregularity(book: str) -> None:
    assert set(load_book(book).throws) == ALL


@pytest.mark.parametrize("book", NEW_JERSEY_LIKE)
@pytest.mark.parametrize("irregular", sorted(ALL))
@pytest.mark.parametrize("called_by", [None, "boxperson", "stickperson", "dealer", "floorperson", "player"])
def test_craps_by_new_jersey_s_grounds(book: str, irregular: str, called_by: str | None) -> None:
    void = irregular in AUTOMATIC or (irregular in CALLED + GROUND_SIX and called_by in ("boxperson", "stickperson"))
    assert counts(book, "craps", Throw(Roll(3, 4), irregular=irregular, called_by=called_by)) is not void


@pytest.mark.parametrize("book", ["new_jersey", "maryland"])
@pytest.mark.parametrize("irregular", sorted(ALL))
@pytest.mark.parametrize("called_by", [None, "boxperson", "stickperson", "dealer", "floorperson"])
def test_mini_craps_callers(book: str, irregular: str, called_by: str | None) -> None:
    callers = ("dealer", "stickperson", "floorperson") if irregular in CALLED else ("dealer", "stickperson")
    void = irregular in AUTOMATIC or (irregular in CALLED + GROUND_SIX and called_by in callers)
    assert counts(book, "mini_craps", Throw(Roll(3, 4), irregular=irregular, called_by=called_by)) is not void


@pytest.mark.parametrize("irregular", CALLED + GROUND_SIX)
def test_automated_craps_has_nobody_to_call(irregular: str) -> None:
    assert counts("new_jersey", "automated_craps", Throw(Roll(3, 4), irregular=irregular, called_by="boxperson"))


@pytest.mark.parametrize("irregular", SENTOSA_VOID)
def test_sentosa_3_10_no_roll(irregular: str) -> None:
    assert not counts("rws", "craps", Throw(Roll(3, 4), irregular=irregular))


@pytest.mark.parametrize("irregular", SENTOSA_VALID)
@pytest.mark.parametrize("called_by", [None, "boxperson"])
def test_sentosa_counts_what_is_not_on_its_list(irregular: str, called_by: str | None) -> None:
    assert counts("rws", "craps", Throw(Roll(3, 4), irregular=irregular, called_by=called_by))


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
    throw = Throw(Roll(3, 4), irregular="dispute", called_by=called_by, ruling=ruling)
    assert counts("new_jersey", game, throw) is valid


@pytest.mark.parametrize("irregular", ["on_chips", "cocked_one_side"])
def test_1_10_a_1_a_cocked_die_reads_opposite_its_resting_side(irregular: str) -> None:
    table = plain_table("new_jersey")
    for die, resting, total in ((0, 1, 10), (1, 6, 4), (1, 2, 8)):
        (event,) = table.do(Throw(Roll(3, 4), irregular=irregular, cocked=(die, resting)))
        assert isinstance(event, Rolled)
        assert (event.total, event.dice) == (total, Roll(3, 4))


def test_an_unknown_irregularity_is_refused() -> None:
    table = plain_table("new_jersey")
    with pytest.raises(Refused) as caught:
        table.do(Throw(Roll(3, 4), irregular="ricochet"))
    assert caught.value.code is Code.NO_SUCH_THROW


def test_an_invalid_throw_does_not_close_the_fire_window_or_end_a_call() -> None:
    table = plain_table("new_jersey")
    table.do(Throw(Roll(3, 4), irregular="off_table"))
    assert table.bet("A", "fire", 100)
