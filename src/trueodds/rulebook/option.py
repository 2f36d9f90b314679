"""The options a book leaves to the operator of a table: their defaults and their bounds."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from trueodds.rulebook.citation import Citation
from trueodds.rulebook.errors import HouseError
from trueodds.rulebook.option_specs import OPTION_SPECS
from trueodds.rulebook.value_types import NONE, MapType, OptionValue

PlainValue: TypeAlias = "bool | int | str | list[str] | dict[str, PlainValue]"
"""The value of an option as TOML and JSON can hold it."""

BOUND_KINDS: Final = ("at_least", "at_most", "at_least_default", "at_most_default", "one_of", "contains", "excludes")


class Bound(NamedTuple):
    """One bound that a book sets on an option: a value outside of it is refused with `code`.

    The bound does not hold in a house in which another option has the value that `unless` names.
    """

    kind: str
    limit: OptionValue | tuple[OptionValue, ...]
    code: str
    cite: Citation
    unless: Mapping[str, OptionValue] = MappingProxyType({})

    def holds_in(self, options: Mapping[str, OptionValue]) -> bool:
        """Return whether the bound holds in a house with these options."""
        return not any(options.get(name) == value for name, value in self.unless.items())

    def allows(self, value: OptionValue, default: OptionValue) -> bool:
        """Return whether the bound allows a value; of a map, every value."""
        if self.kind in ("contains", "excludes"):
            listed = set(value if isinstance(value, tuple) else ())
            return set(self.limits) <= listed if self.kind == "contains" else not set(self.limits) & listed
        if isinstance(value, Mapping):
            defaults = default if isinstance(default, Mapping) else {}
            return all(self._allows_item(item, defaults.get(key)) for key, item in value.items())
        return self._allows_item(value, default)

    @property
    def limits(self) -> tuple[OptionValue, ...]:
        """The values of a `one_of`, `contains` or `excludes` bound."""
        return self.limit if isinstance(self.limit, tuple) else (self.limit,)

    def _allows_item(self, value: OptionValue, default: OptionValue) -> bool:
        if self.kind == "one_of":
            return value in self.limits
        limit = default if self.kind.endswith("_default") else self.limit
        if not isinstance(value, int) or not isinstance(limit, int):
            return False
        return value >= limit if self.kind.startswith("at_least") else value <= limit

    def describe(self) -> str:
        """Return what the bound allows as text: "at most 500"."""
        words = {"contains": "a list with", "excludes": "a list without"}.get(self.kind, self.kind.replace("_", " "))
        if self.kind.endswith("_default"):
            return f"{words.removesuffix(' default')} the book's own multiples"
        unless = "".join(f" unless {name} is {_limit_text(value)}" for name, value in self.unless.items())
        return f"{words} {', '.join(map(_limit_text, self.limits))}{unless}"


def _limit_text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Option(NamedTuple):
    """A choice that a book leaves to the operator, with its default and its bounds.

    `cite` says where the default comes from. `allows` says, for each other value that a house may choose, which clause
    allows it or which silence leaves it open; for a list of wagers, it says so for each wager that may be added or
    left out.
    """

    name: str
    default: OptionValue
    bounds: tuple[Bound, ...]
    allows: Mapping[str, Citation]
    cite: Citation

    @property
    def description(self) -> str:
        """One sentence about what the option means."""
        return OPTION_SPECS[self.name].description

    def check(self, value: object, where: str, *, check_bounds: bool = True) -> OptionValue:
        """Return the value as a house stores it. Raise HouseError if it is malformed or out of bounds.

        A map is completed with the keys of the default. Bounds that depend on other options are checked
        by `check_conditional_bounds`.
        """
        value_type = OPTION_SPECS[self.name].value_type
        if isinstance(value_type, MapType) and isinstance(value, Mapping):
            given = {str(key) if type(key) is int else key: item for key, item in value.items()}
            value = {**self.default, **given} if isinstance(self.default, Mapping) else given
        try:
            parsed = value_type.parse(value)
        except ValueError as error:
            raise HouseError("malformed", where, f"expected {error}, got {value!r}") from None
        for bound in self.bounds if check_bounds else ():
            if not bound.unless:
                self._check_bound(bound, parsed, where)
        return parsed

    def check_conditional_bounds(self, options: Mapping[str, OptionValue], where: str) -> None:
        """Raise HouseError if the value is out of a bound that depends on other options."""
        for bound in self.bounds:
            if bound.unless and bound.holds_in(options):
                self._check_bound(bound, options[self.name], where)

    def _check_bound(self, bound: Bound, value: OptionValue, where: str) -> None:
        if not bound.allows(value, self.default):
            problem = f"must be {bound.describe()}, got {plain_value(value)!r}"
            raise HouseError(bound.code, where, problem, bound.cite)


def plain_value(value: OptionValue) -> PlainValue:
    """Return an option's value as TOML and JSON can hold it: None becomes "none", a tuple a list."""
    if isinstance(value, Mapping):
        return {key: plain_value(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return list(value)
    return NONE if value is None else value
