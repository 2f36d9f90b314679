"""A form for an option: what can be asked for under one book, so that a page can draw a field for it.

A form is drawn from the same shape and bounds that a house is checked with; the house stays the judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from trueodds.rulebook.book import Book
from trueodds.rulebook.keys import named_wagers, vig_keys
from trueodds.rulebook.option import OPTION_TYPES, Lawful, Option, plain
from trueodds.rulebook.shape import NONE, Flag, OneOf, Shape, Table, Value, Wagers, Whole

Kind = Literal["flag", "number", "choice", "wagers", "odds", "table"]


@dataclass(frozen=True, slots=True)
class FormChoice:
    """A value to choose: whether the book allows it, and in a list of wagers whether it must be there."""

    value: bool | int | str
    title: str
    lawful: bool = True
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """What can be asked for.

    A `number` is whole, counted in `unit`, from `least` to `most` by `step`; with `or_none` it may be "none". `flag`,
    `choice` and `wagers` have their `choices`. `odds` are words ("7 to 6") that pay at least `least_odds`. A `table`
    has a field for each key.

    >>> from trueodds.rulebook import load_book
    >>> form = form_of(load_book("NJ"), "vig_bp")
    >>> form.kind, form.unit, form.least, form.most
    ('number', 'basis_points', 0, 500)
    """

    kind: Kind
    unit: str = ""
    least: int | None = None
    most: int | None = None
    step: int = 1
    or_none: bool = False
    least_odds: str = ""
    choices: tuple[FormChoice, ...] = ()
    fields: tuple[FormField, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether the book leaves nothing to choose."""
        match self.kind:
            case "number":
                return self.least == self.most and not self.or_none
            case "flag" | "choice":
                return sum(choice.lawful for choice in self.choices) == 1
            case "wagers":
                return all(choice.needed for choice in self.choices)
            case "table":
                return all(field.form.is_settled for field in self.fields)
        return False


@dataclass(frozen=True, slots=True)
class FormField:
    """One key of a table, and what stands there by the book; None where it has nothing of its own."""

    key: str
    title: str
    default: int | str | None
    form: Form


def form_of(book: Book, name: str) -> Form:
    """Draw the form of an option under a book."""
    option = book.options[name]
    shape = OPTION_TYPES[name].shape
    if name == "game":
        return Form("choice", choices=_choices(book.games, option.lawful))
    if name == "paytable":
        return Form("table", fields=tuple(_odds_field(book, key) for key in book.pays))
    if isinstance(shape, Wagers):
        needed = {kind for bound in option.lawful if bound.test == "contains" for kind in bound.bound}
        return Form("wagers", choices=tuple(
            FormChoice(kind, book.wagers[kind].title, needed=kind in needed) for kind in named_wagers(book, name)
        ))  # fmt: skip
    if isinstance(shape, Table):
        return Form("table", fields=tuple(_field(book, option, shape.item, key) for key in _keys(book, option)))
    return _drawn(shape, option.lawful, option.default)


def _drawn(shape: Shape, lawful: Iterable[Lawful], default: Value) -> Form:
    """Draw one value: what its shape allows, narrowed by the book."""
    given = tuple(bound for bound in lawful if bound.test == "one_of")
    if isinstance(shape, Flag):
        return Form("flag", choices=_choices((True, False), given))
    if isinstance(shape, OneOf):
        return Form("choice", choices=_choices(shape.words, given))
    if not isinstance(shape, Whole):
        return Form("choice", choices=_choices(given[0].bound if given else (default,), given))
    form = Form("number", shape.unit, shape.least, shape.most, or_none=shape.or_none)
    if given:
        return replace(form, kind="choice", least=None, most=None, choices=_choices(given[0].bound, given))
    least, most = shape.least, shape.most
    for bound in lawful:
        if bound.test == "at_least":
            least = max(least, bound.bound)
        elif bound.test == "at_most":
            most = min(most, bound.bound)
        elif bound.test == "at_most_default":
            most = min(most, default)
    return replace(form, least=least, most=most)


def _field(book: Book, option: Option, item: Shape, key: str) -> FormField:
    default = option.default.get(key)
    return FormField(key, _key_title(book, key), plain(default) if default is not None else None,
                     _drawn(item, option.lawful, default))  # fmt: skip


def _keys(book: Book, option: Option) -> Iterable[str]:
    return vig_keys(book) if option.name == "vig_timing" else option.default


def _odds_field(book: Book, key: str) -> FormField:
    row = book.pays[key]
    odds = str(row.odds)
    if row.law == "fixed":
        return FormField(key, _words(key), odds, Form("choice", choices=(FormChoice(odds, odds),)))
    return FormField(key, _words(key), odds, Form("odds", least_odds=odds if row.law == "minimum" else ""))


def _choices(values: Iterable[Value], lawful: Iterable[Lawful]) -> tuple[FormChoice, ...]:
    bounds = tuple(lawful)
    return tuple(
        FormChoice(value, _title(value), all(bound.allows(value, None) for bound in bounds)) for value in values
    )


def _title(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NONE if value is None else str(value).replace("_", " ")


def _key_title(book: Book, key: str) -> str:
    kind, number = _parted(key)
    return f"{book.wagers[kind].title} {number}".strip() if kind in book.wagers else _words(key)


def _parted(key: str) -> tuple[str, str]:
    kind = key.rstrip("0123456789")
    return kind, key.removeprefix(kind)


def _words(key: str) -> str:
    """Write a key of a pay table for people.

    >>> _words("place_lose10"), _words("fireA4"), _words("678_easy")
    ('place lose 10', 'fire A 4', '678 easy')
    """
    return " ".join(re.findall(r"[a-z]+|[A-Z]|[0-9]+", key))
