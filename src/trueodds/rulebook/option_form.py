"""Forms for options: what an operator may choose under one book, so that a page can draw an input for it.

A form is made from the value types and bounds that a house is checked with. The house has the final say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from trueodds.rulebook.book import Book
from trueodds.rulebook.option import Bound, Option
from trueodds.rulebook.option_keys import vig_timing_keys, wagers_allowed_in
from trueodds.rulebook.option_specs import OPTION_SPECS
from trueodds.rulebook.value_types import (
    BooleanType,
    ChoiceType,
    IntegerType,
    MapType,
    OptionValue,
    ValueType,
    WagerListType,
)

FormKind = Literal["flag", "number", "choice", "wagers", "odds", "table"]


@dataclass(frozen=True, slots=True)
class FormChoice:
    """A value to choose. `allowed` is whether the book allows it, `required` whether a list must contain it.

    `needs` lists values of other options: the house must have one of them to choose this value.
    """

    value: bool | int | str
    title: str
    allowed: bool = True
    required: bool = False
    needs: tuple[tuple[str, bool | str], ...] = ()


@dataclass(frozen=True, slots=True)
class OptionForm:
    """The input for an option.

    A `number` is a whole number of `unit` from `minimum` to `maximum` by `step`; with `allows_none` it may be "none".
    `flag`, `choice` and `wagers` have `choices`. `odds` are text ("7 to 6") that pays at least `minimum_odds`. A
    `table` has a field for each key.

    >>> from trueodds.rulebook import load_book
    >>> form = option_form(load_book("NJ"), "vig_bp")
    >>> form.kind, form.unit, form.minimum, form.maximum
    ('number', 'basis_points', 0, 500)
    """

    kind: FormKind
    unit: str = ""
    minimum: int | None = None
    maximum: int | None = None
    step: int = 1
    allows_none: bool = False
    minimum_odds: str = ""
    choices: tuple[FormChoice, ...] = ()
    fields: tuple[FormField, ...] = ()

    @property
    def is_fixed(self) -> bool:
        """Whether there is nothing to choose: the book fixes the value."""
        match self.kind:
            case "number":
                return self.minimum == self.maximum and not self.allows_none
            case "flag" | "choice":
                return sum(choice.allowed for choice in self.choices) == 1
            case "wagers":
                return all(choice.required or not choice.allowed for choice in self.choices)
            case "table":
                return all(field.form.is_fixed for field in self.fields)
        return False


@dataclass(frozen=True, slots=True)
class FormField:
    """One key of a table, and its value in the book; None if the book has none."""

    key: str
    title: str
    default: int | str | None
    form: OptionForm


def option_form(book: Book, name: str) -> OptionForm:
    """Return the form of an option under a book."""
    option = book.options[name]
    value_type = OPTION_SPECS[name].value_type
    if name == "game":
        return OptionForm("choice", choices=_choices(book.games, option.bounds))
    if name == "paytable":
        return OptionForm("table", fields=tuple(_pay_table_field(book, key) for key in book.pay_table))
    if isinstance(value_type, WagerListType):
        required = {kind for bound in option.bounds if bound.kind == "contains" for kind in bound.limits}
        excluded = {kind for bound in option.bounds if bound.kind == "excludes" for kind in bound.limits}
        return OptionForm(
            "wagers",
            choices=tuple(
                FormChoice(kind, book.wagers[kind].title, allowed=kind not in excluded, required=kind in required)
                for kind in wagers_allowed_in(book, name)
            ),
        )
    if isinstance(value_type, MapType):
        return OptionForm(
            "table", fields=tuple(_map_field(book, option, value_type.item, key) for key in _map_keys(book, option))
        )
    return _value_form(value_type, option.bounds, option.default)


def _value_form(value_type: ValueType, bounds: Iterable[Bound], default: OptionValue) -> OptionForm:
    """Return the form of one value: what its type allows, narrowed by the bounds of the book."""
    listed = tuple(bound for bound in bounds if bound.kind == "one_of")
    if isinstance(value_type, BooleanType):
        return OptionForm("flag", choices=_choices((True, False), listed))
    if isinstance(value_type, ChoiceType):
        return OptionForm("choice", choices=_choices(value_type.words, listed))
    if not isinstance(value_type, IntegerType):
        return OptionForm("choice", choices=_choices(listed[0].limits if listed else (default,), listed))
    form = OptionForm("number", value_type.unit, allows_none=value_type.allows_none)
    if listed:
        return replace(form, kind="choice", choices=_choices(listed[0].limits, listed))
    minimum, maximum = value_type.minimum, value_type.maximum
    for bound in bounds:
        limit = default if bound.kind.endswith("_default") else bound.limit
        if not isinstance(limit, int):
            continue
        if bound.kind.startswith("at_least"):
            minimum = max(minimum, limit)
        else:
            maximum = min(maximum, limit)
    return replace(form, minimum=minimum, maximum=maximum)


def _map_field(book: Book, option: Option, item_type: ValueType, key: str) -> FormField:
    default = option.default.get(key) if isinstance(option.default, Mapping) else None
    return FormField(
        key,
        _key_title(book, key),
        default if isinstance(default, int | str) else None,
        _value_form(item_type, option.bounds, default),
    )


def _map_keys(book: Book, option: Option) -> Iterable[str]:
    if option.name == "vig_timing":
        return vig_timing_keys(book)
    return option.default if isinstance(option.default, Mapping) else ()


def _pay_table_field(book: Book, key: str) -> FormField:
    row = book.pay_table[key]
    odds = str(row.odds)
    if row.constraint == "fixed":
        return FormField(key, _key_text(key), odds, OptionForm("choice", choices=(FormChoice(odds, odds),)))
    minimum = odds if row.constraint == "minimum" else ""
    return FormField(key, _key_text(key), odds, OptionForm("odds", minimum_odds=minimum))


def _choices(values: Iterable[OptionValue], bounds: Iterable[Bound]) -> tuple[FormChoice, ...]:
    all_bounds = tuple(bounds)
    return tuple(_choice(value, all_bounds) for value in values if isinstance(value, bool | int | str))


def _choice(value: bool | int | str, bounds: tuple[Bound, ...]) -> FormChoice:
    excluding = [bound for bound in bounds if not bound.allows(value, None)]
    needs = [(name, needed) for bound in excluding for name, needed in bound.unless.items()]
    return FormChoice(
        value,
        _value_title(value),
        allowed=all(bound.unless for bound in excluding),
        needs=tuple((name, needed) for name, needed in needs if isinstance(needed, bool | str)),
    )


def _value_title(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


def _key_title(book: Book, key: str) -> str:
    kind = key.rstrip("0123456789")
    if kind not in book.wagers:
        return _key_text(key)
    return f"{book.wagers[kind].title} {key.removeprefix(kind)}".strip()


def _key_text(key: str) -> str:
    """Return a key of a pay table as text.

    >>> _key_text("place_lose10"), _key_text("fireA4"), _key_text("678_easy")
    ('place lose 10', 'fire A 4', '678 easy')
    """
    return " ".join(re.findall(r"[a-z]+|[A-Z]|[0-9]+", key))
