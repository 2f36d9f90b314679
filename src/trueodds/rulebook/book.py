"""A book: one rule text as data, every value with the clause it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from trueodds.money import Odds
from trueodds.rulebook.cite import Cite, Silence
from trueodds.rulebook.option import Option
from trueodds.rulebook.reader import thawed
from trueodds.rulebook.wager import WagerText


class Ruled(NamedTuple):
    """A value of a book and where it says so."""

    value: Any
    cite: Cite


class Game(NamedTuple):
    """A form in which the book lets craps be played."""

    name: str
    seated: bool
    confirm_late: tuple[str, ...]
    seats: int | None
    table_feet: float | None
    cites: Mapping[str, Cite]


class Tender(NamedTuple):
    """Whether a way of paying is taken: for all wagers, when confirmed, for some, or never."""

    takes: str | tuple[str, ...]
    cite: Cite


class ThrowRuling(NamedTuple):
    """What an irregular throw counts for, and who may say so in which game."""

    code: str
    ruling: str
    by: Mapping[str, tuple[str, ...]]
    cite: Cite


class PayRow(NamedTuple):
    """One row of a pay schedule."""

    odds: Odds
    law: str
    law_cite: Cite
    cite: Cite


@dataclass(frozen=True, eq=False)
class Book:
    """One rulebook. Equal content has an equal `digest`."""

    id: str
    code: str
    title: str
    text: str
    operator: str
    currency: str
    points: tuple[int, ...]
    seven: int
    game_cites: Mapping[str, Cite]
    games: Mapping[str, Game]
    refusals: Mapping[str, Cite]
    tenders: Mapping[str, Tender]
    custody: Mapping[str, Ruled]
    throws: Mapping[str, ThrowRuling]
    options: Mapping[str, Option]
    house: Mapping[str, Any]
    pays: Mapping[str, PayRow]
    wagers: Mapping[str, WagerText]
    silences: Mapping[str, Silence]
    digest: str
    source: Mapping[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        from trueodds.rulebook.library import book_from_source  # noqa: PLC0415  a book knows no shelf but this once

        return (book_from_source, (thawed(self.source),))

    def __repr__(self) -> str:
        return f"<Book {self.id}>"

    def silences_of(self, cite: Cite) -> tuple[Silence, ...]:
        """Pick the silences out of a citation."""
        return tuple(self.silences[part] for part in cite if part in self.silences)
