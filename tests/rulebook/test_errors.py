"""Errors in books and houses say what was given and where, and can be pickled."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from trueodds.conformance import CaseError
from trueodds.errors import TrueoddsError
from trueodds.rulebook import (
    BookError,
    House,
    HouseError,
    Spot,
    SpotError,
    UnknownWagerError,
    load_book,
    load_book_file,
    load_house,
)
from trueodds.wagers import TableRules

RIVERBOAT = Path(__file__).parents[1] / "sixth_book" / "riverboat.toml"


@pytest.mark.parametrize(
    "error",
    [
        BookError("wager.pass.pays", "missing"),
        BookError("wager.pass.pays", "missing", "boat.toml", 12),
        HouseError("unlawful", "vig_bp", "must be at most 500, got 600", ("1.5(a)",), "house.toml", 3),
        UnknownWagerError("plaec", "New Jersey", ("place", "pass")),
        SpotError("a spot must be written like place:8"),
        CaseError("case X: unknown act"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_are_pickled_with_everything_they_say(error: TrueoddsError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301  our own bytes
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
    assert isinstance(copy, TrueoddsError)
    assert isinstance(copy, ValueError)


def test_an_error_in_a_book_file_names_the_file_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "boat.toml"
    text = RIVERBOAT.read_text("utf-8").replace('constraint = "minimum"', 'constraint = "roughly"')
    path.write_text(text, "utf-8")
    line = text.splitlines().index('constraint = "roughly"') + 1
    with pytest.raises(BookError) as caught:
        load_book_file(path)
    expected = "expected one of fixed, minimum, free, got 'roughly'"
    assert str(caught.value) == f"{path}, line {line}: pay_table[0].constraint: {expected}"


def test_an_error_in_the_terms_of_a_wager_names_the_file_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "boat.toml"
    text = RIVERBOAT.read_text("utf-8").replace('pays = "line"', 'pays = "lines"', 1)
    path.write_text(text, "utf-8")
    line = text.splitlines().index('pays = "lines"') + 1
    house = House(load_book_file(path))
    with pytest.raises(BookError, match=rf"boat\.toml, line {line}: wager\.pass\.pays: .* no row 'lines'"):
        TableRules(house)


def test_an_error_in_a_house_file_names_the_file_the_line_and_the_clause(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('book = "new_jersey"\n\n[options]\nmin_bet = 1500\nvig_bp = 600\n', "utf-8")
    with pytest.raises(HouseError) as caught:
        load_house(path)
    assert caught.value.code == "vig_above_5pct"
    assert str(caught.value) == f"{path}, line 5: vig_bp: must be at most 500, got 600 (N.J.A.C. 19:47-1.5(a))"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("place", "place"),
        ("PLACE", "place"),
        (" Place Bet to Win ", "place"),
        ("place:6", "place"),
        ("big red", "any7"),
        ("dont pass", "dont_pass"),
        ("Four the Hardway", "hard"),
    ],
)
def test_a_wager_is_found_by_any_of_its_names(name: str, kind: str) -> None:
    book = load_book("new_jersey")
    assert book.find_wager(name).kind == kind
    assert book.find_kind(name) == kind


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("plaec", "New Jersey has no wager called 'plaec'; did you mean 'place'?"),
        ("Dont_Pas", "New Jersey has no wager called 'Dont_Pas'; did you mean 'dont_pass'?"),
        ("roulette", "New Jersey has no wager called 'roulette'; its wagers are pass, dont_pass, come"),
        ("put:4", "New Jersey has no wager called 'put:4'; "),
    ],
)
def test_an_unknown_wager_suggests_the_nearest_name(name: str, message: str) -> None:
    book = load_book("new_jersey")
    assert book.find_kind(name) is None
    with pytest.raises(UnknownWagerError) as caught:
        book.find_wager(name)
    assert str(caught.value).startswith(message)


def test_a_spot_error_says_what_was_given() -> None:
    with pytest.raises(SpotError, match=r"must be written like pass, place:8 or hop:2-5, got 'Place 6'"):
        Spot.parse("Place 6")
