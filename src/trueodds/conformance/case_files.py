"""Case files in the `craps-cases/1` format: JSON documents with steps and the expected results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypedDict

from trueodds.errors import TrueoddsError
from trueodds.rulebook import OPTION_SPECS, Book, House, load_book

CASE_SCHEMA: Final = "craps-cases/1"


class CaseError(TrueoddsError, ValueError):
    """A case file is malformed, or a case has a step that cannot be played."""


class CockedDie(TypedDict):
    """A die that did not come to rest flat."""

    die: int
    resting_face: int


class Step(TypedDict, total=False):
    """One step of a case: an act, its parameters, and the expected result. Amounts are in cents."""

    n: int
    act: str
    expect: dict[str, object]
    seats: list[str]
    player: str
    id: str
    wager: str
    number: int
    high: int
    pair: list[int]
    amount: int
    on: str
    tender: str
    confirmed: bool
    confirmed_by: list[str]
    timing: str
    to: int
    state: Literal["on", "off"]
    dice: list[int]
    irregular: str
    called_by: str
    ruling: str
    cocked: CockedDie
    by: str
    cause: str
    set: dict[str, object]


ASSUMED_OPTIONS: Final[Mapping[str, object]] = {"free_vig": "allow"}
"""Options that cases assume where their file does not set them, whatever the default of the book."""


class Case(NamedTuple):
    """One case: a book, house options, steps with their expected results, and the expected final state."""

    id: str
    title: str
    rulebook: str
    options: Mapping[str, object]
    steps: tuple[Step, ...]
    final: Mapping[str, object]

    def house(self) -> House:
        """Return the house of the case. The bounds of the book are not checked: cases may assume other options."""
        book = load_book(self.rulebook)
        options = known_options(book, {**ASSUMED_OPTIONS, **self.options})
        return House(book, options, name=self.id, book_defaults=True, unchecked=True)


def known_options(book: Book, options: Mapping[str, object]) -> dict[str, object]:
    """Return the options that the book has. Lists of wagers are reduced to the wagers that it has.

    Case files set every option for every book, even a fire table for a book without fire bets.
    """
    known: dict[str, object] = {}
    for name, value in options.items():
        if name not in OPTION_SPECS:
            raise CaseError(f"unknown option {name!r}")
        if name in book.options:
            known[name] = [kind for kind in value if kind in book.wagers] if isinstance(value, list) else value
    return known


def load_cases(path: Path) -> tuple[Case, ...]:
    """Read a case file. Raise CaseError if it is not one."""
    try:
        document = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise CaseError(f"{path}: cannot read the file: {error.strerror}") from None
    except ValueError as error:
        raise CaseError(f"{path}: not valid JSON: {error}") from None
    if not isinstance(document, dict) or document.get("schema") != CASE_SCHEMA:
        raise CaseError(f"{path}: not a {CASE_SCHEMA} document")
    defaults = document.get("option_defaults") or {}
    cases = []
    for index, row in enumerate(document.get("cases") or ()):
        try:
            cases.append(
                Case(
                    row["id"],
                    row["title"],
                    row["rulebook"],
                    {**defaults[row["rulebook"]], **row["options"]},
                    tuple(row["steps"]),
                    row["final"],
                )
            )
        except (KeyError, TypeError) as error:
            raise CaseError(f"{path}: case {index + 1} is incomplete: {error}") from None
    return tuple(cases)
