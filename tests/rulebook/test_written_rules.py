"""Procedures, definitions and clauses that are not for software are read from a book and checked."""

from __future__ import annotations

import copy
import pickle
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from trueodds.rulebook import PROCEDURE_TOPICS, Book, BookError, Definition, NotForSoftware, load_book, parse_book

RIVERBOAT = Path(__file__).parents[1] / "sixth_book" / "riverboat.toml"


def riverboat() -> dict[str, Any]:
    return tomllib.loads(RIVERBOAT.read_text("utf-8"))


def parsed(**changes: Any) -> Book:
    """Return the Riverboat book with other rows."""
    return parse_book(riverboat() | copy.deepcopy(changes), load_book)


CALLS: dict[str, Any] = {
    "id": "stick_calls",
    "topic": "calls",
    "title": "Announcing the roll",
    "when": "after each roll",
    "by": ["stickperson"],
    "steps": ["Announce the total.", "Say which line won."],
    "options": ["late_bets"],
    "games": ["craps"],
    "cite": ["3", "A-01"],
}


def test_a_procedure_is_read() -> None:
    (procedure,) = parsed(procedure=[CALLS]).procedures
    assert procedure._asdict() == {
        **CALLS,
        "by": ("stickperson",),
        "steps": ("Announce the total.", "Say which line won."),
        "options": ("late_bets",),
        "games": ("craps",),
        "trigger": "",
        "cite": ("Riverboat rule 3", "A-01"),
    }


def test_what_a_procedure_does_not_say_is_empty() -> None:
    short = {key: CALLS[key] for key in ("id", "topic", "title", "steps", "cite")}
    (procedure,) = parsed(procedure=[short]).procedures
    assert (procedure.when, procedure.by, procedure.options, procedure.games) == ("", (), (), ())


def test_definitions_and_clauses_that_are_not_for_software_are_read() -> None:
    book = parsed(
        definition=[{"term": "come-out roll", "meaning": "The first roll.", "cite": "1"}],
        not_for_software=[{"about": "Harbors", "reason": "No ship moves.", "cite": ["3", "4"]}],
    )
    assert book.definitions == (Definition("come-out roll", "The first roll.", ("Riverboat rule 1",)),)
    assert book.not_for_software == (
        NotForSoftware("Harbors", "No ship moves.", ("Riverboat rule 3", "Riverboat rule 4")),
    )


def test_a_book_needs_none_of_them() -> None:
    table = riverboat()
    for name in ("procedure", "definition", "not_for_software"):
        table.pop(name, None)
    book = parse_book(table, load_book)
    assert (book.procedures, book.definitions, book.not_for_software) == ((), (), ())


def test_they_count_in_the_digest_and_survive_pickling() -> None:
    book = parsed(procedure=[CALLS])
    assert book.digest != parsed(procedure=[]).digest
    assert pickle.loads(pickle.dumps(book)).procedures == book.procedures  # noqa: S301  our own bytes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"topic": "weather"}, f"procedure[0].topic: expected one of {', '.join(PROCEDURE_TOPICS)}, got 'weather'"),
        ({"color": "red"}, "procedure[0].color: unknown key"),
        ({"id": "Stick"}, "procedure[0].id: expected small letters, digits and single underscores, got 'Stick'"),
        ({"title": " "}, "procedure[0].title: must not be empty"),
        ({"steps": []}, "procedure[0].steps: a procedure needs at least one step"),
        ({"steps": ["Wait.", ""]}, "procedure[0].steps: no line may be empty, got ['Wait.', '']"),
        ({"steps": "Wait."}, "procedure[0].steps: expected a list of strings, got 'Wait.'"),
        ({"options": ["sails"]}, "procedure[0].options: this book has no option 'sails'"),
        ({"games": ["roulette"]}, "procedure[0].games: this book has no game 'roulette'"),
        ({"cite": []}, "procedure[0].cite: expected a clause, a silence or a list of them, got []"),
        ({"cite": "A-77"}, "silence: cited but not defined: A-77"),
    ],
)  # fmt: skip
def test_a_wrong_procedure_is_an_error(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BookError) as caught:
        parsed(procedure=[CALLS | changes])
    assert str(caught.value) == message


@pytest.mark.parametrize("key", ["id", "topic", "title", "steps", "cite"])
def test_a_procedure_without_a_required_key_is_an_error(key: str) -> None:
    with pytest.raises(BookError) as caught:
        parsed(procedure=[{name: value for name, value in CALLS.items() if name != key}])
    assert str(caught.value) == f"procedure[0].{key}: missing"


@pytest.mark.parametrize(
    ("section", "row", "message"),
    [
        ("procedure", CALLS, "procedure[1].id: stick_calls is used twice"),
        (
            "definition",
            {"term": "Point", "meaning": "A number.", "cite": "1"},
            "definition[1].term: Point is defined twice",
        ),
        (
            "not_for_software",
            {"about": "Harbors", "reason": "No ship moves.", "cite": "1"},
            "not_for_software[1].about: Harbors is used twice",
        ),
    ],
)
def test_a_row_may_not_appear_twice(section: str, row: dict[str, Any], message: str) -> None:
    with pytest.raises(BookError) as caught:
        parsed(**{section: [row, row]})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("section", "row", "message"),
    [
        ("definition", {"term": "", "meaning": "A number.", "cite": "1"}, "definition[0].term: must not be empty"),
        ("definition", {"term": "Point", "meaning": "A number."}, "definition[0].cite: missing"),
        ("definition", {"term": "P", "meaning": "N", "cite": "1", "x": 1}, "definition[0].x: unknown key"),
        ("not_for_software", {"about": "Harbors", "cite": "1"}, "not_for_software[0].reason: missing"),
        ("not_for_software", {"about": "H", "reason": "R", "cite": "1", "x": 1}, "not_for_software[0].x: unknown key"),
    ],
)
def test_a_wrong_definition_or_reason_is_an_error(section: str, row: dict[str, Any], message: str) -> None:
    with pytest.raises(BookError) as caught:
        parsed(**{section: [row]})
    assert str(caught.value) == message


def test_every_wager_of_sentosa_has_a_betting_area_and_a_code() -> None:
    """Appendix C gives each wager a code from A to V, and says where it lies."""
    book = load_book("rws")
    (areas,) = [procedure for procedure in book.procedures if procedure.id == "betting_areas"]
    found = [re.findall(r"^(.+?), (.+?): ", step) for step in areas.steps]
    codes, titles = zip(*(pair for (pair,) in found), strict=True)
    assert "".join(code[0] for code in codes) == "ABCDEFGHIJKLMNOPQRSTUV"
    assert set(titles) == {wager.title for wager in book.wagers.values()}
    cited = [reference.removeprefix("RWS Game Rules App.C ") for reference in areas.cite]
    assert cited == [code.replace(" and ", "/") for code in codes]
