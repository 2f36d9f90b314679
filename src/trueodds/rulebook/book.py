"""A book: one rule text as data. Every value comes with the clause it is from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

from trueodds.money import Odds
from trueodds.rulebook.citation import Citation, Silence
from trueodds.rulebook.errors import UnknownWagerError
from trueodds.rulebook.option import Option
from trueodds.rulebook.spot import Spot, SpotError
from trueodds.rulebook.toml_reader import Location, TomlTable, thaw
from trueodds.rulebook.wager_definition import WagerDefinition
from trueodds.rulebook.written_rules import Definition, NotForSoftware, Procedure

T_co = TypeVar("T_co", covariant=True)


class CitedValue(NamedTuple, Generic[T_co]):
    """A value in a book, with its citation."""

    value: T_co
    cite: Citation


@dataclass(frozen=True, kw_only=True)
class CustodyRules:
    """What a book says about who holds the dice; None where it says nothing.

    Values like "$shooter_line_required" refer to a house option. Maps are by game.
    """

    line_bet: CitedValue[bool | str] | None = None
    line_bet_waived: CitedValue[str] | None = None
    pass_after: CitedValue[str] | None = None
    next_offer: CitedValue[str] | None = None
    puck_off_round: CitedValue[bool] | None = None
    order_causes: CitedValue[tuple[str, ...]] | None = None
    order_by: CitedValue[Mapping[str, tuple[str, ...]]] | None = None
    first_offer: CitedValue[Mapping[str, str]] | None = None
    dice_kept_by: CitedValue[Mapping[str, str]] | None = None
    dice_at_least: CitedValue[int] | None = None
    surveillance_at_points: CitedValue[int] | None = None
    fire_spots: CitedValue[int] | None = None

    def stated(self) -> dict[str, CitedValue[object]]:
        """Return the rules that the book states, by name."""
        values = ((item.name, getattr(self, item.name)) for item in fields(self))
        return {name: value for name, value in values if value is not None}

    def cite(self, name: str) -> Citation | None:
        """Return the citation of a rule, or None if the book does not state it."""
        rule: CitedValue[object] | None = getattr(self, name)
        return None if rule is None else rule.cite


class GameVariant(NamedTuple):
    """A form of craps that the book allows, such as mini-craps."""

    name: str
    seated: bool
    late_bet_confirmers: tuple[str, ...]
    max_seats: int | None
    table_feet: float | None
    cites: Mapping[str, Citation]


class Tender(NamedTuple):
    """Which wagers a kind of tender pays for: "all", "none", "confirmed" (if a dealer confirms), or a list."""

    accepts: str | tuple[str, ...]
    cite: Citation


class IrregularThrow(NamedTuple):
    """How an irregular throw counts, and which officials may rule on it in each game."""

    code: str
    ruling: str
    officials: Mapping[str, tuple[str, ...]]
    cite: Citation


class PayTableRow(NamedTuple):
    """The odds of one row of a pay table.

    `constraint` says what a house may do with them: nothing ("fixed"), pay more ("minimum"), or anything ("free").
    """

    odds: Odds
    constraint: str
    constraint_cite: Citation
    cite: Citation


@dataclass(frozen=True, eq=False)
class Book:
    """One rulebook. Books with the same content have the same `digest`.

    `source` names the text, and `clause` is the template of its citations ("N.J.A.C. 19:47-{}"). `raw` is the parsed
    file, `location` the file it was read from.
    """

    id: str
    code: str
    title: str
    source: str
    clause: str
    operator: str
    currency: str
    points: tuple[int, ...]
    seven: int
    game_cites: Mapping[str, Citation]
    games: Mapping[str, GameVariant]
    refusal_cites: Mapping[str, Citation]
    tenders: Mapping[str, Tender]
    custody: CustodyRules
    irregular_throws: Mapping[str, IrregularThrow]
    options: Mapping[str, Option]
    default_house: TomlTable
    pay_table: Mapping[str, PayTableRow]
    wagers: Mapping[str, WagerDefinition]
    procedures: tuple[Procedure, ...]
    definitions: tuple[Definition, ...]
    not_for_software: tuple[NotForSoftware, ...]
    silences: Mapping[str, Silence]
    digest: str
    raw: TomlTable = field(repr=False)
    location: Location = field(repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        from trueodds.rulebook.book_files import unpickle_book  # noqa: PLC0415  book_files imports this module

        return (unpickle_book, (thaw(self.raw),))

    def __repr__(self) -> str:
        return f"<Book {self.id}>"

    def find_wager(self, name: str) -> WagerDefinition:
        """Return a wager by its kind, title, short name, alias or spot, in any case.

        Raise UnknownWagerError, which suggests the nearest name, if there is none.

        >>> from trueodds.rulebook import load_book
        >>> load_book("NJ").find_wager("Big Red").kind
        'any7'
        """
        kind = self.find_kind(name)
        if kind is None:
            raise UnknownWagerError(name, self.title, tuple(self.wagers))
        return self.wagers[kind]

    def find_kind(self, name: str) -> str | None:
        """Return the kind of a wager by any of its names, like `find_wager`, or None if there is none."""
        kind = self._kinds_by_name.get(_normalized(name))
        if kind is not None:
            return kind
        try:
            spot = Spot.parse(name)
        except SpotError:
            return None
        return spot.kind if spot.kind in self.wagers else None

    @cached_property
    def _kinds_by_name(self) -> Mapping[str, str]:
        kinds: dict[str, str] = {}
        for kind, wager in self.wagers.items():
            for name in (kind, wager.title, wager.short_name, *wager.aliases, *wager.spot_titles.values()):
                kinds.setdefault(_normalized(name), kind)
        return kinds

    def silences_of(self, cite: Citation) -> tuple[Silence, ...]:
        """Return the silences among the references of a citation."""
        return tuple(self.silences[reference] for reference in cite if reference in self.silences)


def _normalized(name: str) -> str:
    return name.strip().lower().replace("_", " ")
