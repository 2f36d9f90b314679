"""Case files in the format `craps-cases/1`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from trueodds.rulebook import OPTION_TYPES, Book, House, load_book

SCHEMA: Final = "craps-cases/1"


class CaseError(ValueError):
    """A case file that cannot be read."""


class Case(NamedTuple):
    """One case: a book, the house options it is played under, steps and what they must answer."""

    id: str
    title: str
    rulebook: str
    options: Mapping[str, Any]
    steps: tuple[Mapping[str, Any], ...]
    final: Mapping[str, Any]

    def house(self) -> House:
        """Make the house of the case. Its options are the premise of the case, so they are taken as given."""
        book = load_book(self.rulebook)
        return House(book, applicable(book, self.options), name=self.id, plain_options=True, as_given=True)


def applicable(book: Book, options: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the options, and in lists the wagers, that mean something in this book.

    Case files pin every option for every book, a fire table for a book without a fire bet among them.
    """
    kept = {}
    for name, value in options.items():
        if name not in OPTION_TYPES:
            msg = f"unknown option {name!r}"
            raise CaseError(msg)
        if name in book.options:
            kept[name] = [one for one in value if one in book.wagers] if isinstance(value, list) else value
    return kept


def load_cases(path: Path) -> tuple[Case, ...]:
    """Read a case file."""
    try:
        document = json.loads(path.read_text("utf-8"))
    except OSError as error:
        msg = f"{path}: cannot be read: {error.strerror}"
        raise CaseError(msg) from None
    except ValueError as error:
        msg = f"{path}: is not JSON: {error}"
        raise CaseError(msg) from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        msg = f"{path}: is not a {SCHEMA} document"
        raise CaseError(msg)
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
            msg = f"{path}: case {index + 1} is incomplete: {error}"
            raise CaseError(msg) from None
    return tuple(cases)
