"""A house: what the operator of one table chose among what its book leaves open."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Set
from pathlib import Path
from types import MappingProxyType
from typing import Any

from trueodds.money import MoneyError, Odds, OddsWordingError
from trueodds.rulebook.book import Book
from trueodds.rulebook.errors import HouseError
from trueodds.rulebook.keys import CALLS, may_be_off, vig_keys
from trueodds.rulebook.library import load_book
from trueodds.rulebook.option import plain
from trueodds.rulebook.shape import Value

MAP_KEYS_OF_DEFAULT = ("odds_take", "odds_lay")


class House:
    """Options over a book, checked against it when made. Immutable; equal content has an equal `digest`.

    >>> from trueodds.rulebook import load_book
    >>> house = House(load_book("maryland"), {"min_bet": 1500})
    >>> house["min_bet"], house["after_win"]
    (1500, 'up')
    """

    __slots__ = ("_as_given", "_options", "book", "currency", "digest", "name")

    def __init__(
        self,
        book: Book,
        changes: Mapping[str, Value] = MappingProxyType({}),
        *,
        name: str = "",
        currency: str | None = None,
        plain_options: bool = False,
        as_given: bool | Set[str] = False,
    ) -> None:
        """Lay `changes` over the book's default house, or over its bare options with `plain_options`.

        `as_given` takes values on trust that the book does not allow, for a premise ("suppose the bar were
        2"), of all options or of those named; malformed ones are refused all the same. No house file and no
        command sets it.
        """
        self._as_given = frozenset(book.options if as_given is True else as_given or ())
        base = {} if plain_options else book.house
        self.book = book
        self.name = name or f"{book.title}, default house"
        self.currency = currency or book.currency
        for option in changes:
            if option not in book.options:
                raise HouseError("unknown_option", option, f"{book.title} has no such option")
        self._options = MappingProxyType(
            {
                option: self._checked(
                    option,
                    _laid_over(base.get(option), changes[option]) if option in changes else base.get(option, ...),
                )
                for option in book.options
            }
        )
        self._check_together()
        content = [book.digest, self.currency, {key: plain(value) for key, value in self._options.items()}]
        self.digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, "digest"):
            msg = "a house does not change; make another with change()"
            raise AttributeError(msg)
        object.__setattr__(self, name, value)

    def __getitem__(self, option: str) -> Value:
        """Give what the house chose; an option its book does not have is a mistake of the caller."""
        return self._options[option]

    def get(self, option: str, default: Value = None) -> Value:
        """Give what the house chose, or `default` where the book has no such option."""
        return self._options.get(option, default)

    def fill(self, value: Any) -> Any:
        """Put what the house chose where a book says "$option", however deep."""
        if isinstance(value, str) and value.startswith("$"):
            if value[1:] not in self._options:
                raise HouseError("unknown_option", value, f"refers to {value}, which is no option of this book")
            return self._options[value[1:]]
        if isinstance(value, Mapping):
            return {key: self.fill(item) for key, item in value.items()}
        return tuple(self.fill(item) for item in value) if isinstance(value, tuple) else value

    @property
    def options(self) -> Mapping[str, Value]:
        """All options by name."""
        return self._options

    def __reduce__(self) -> tuple[Any, ...]:
        options = {name: plain(value) for name, value in self._options.items()}
        return (_house_again, (self.book, options, self.name, self.currency, self._as_given))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, House) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<House {self.name!r} over {self.book.id}>"

    def change(self, changes: Mapping[str, Value]) -> House:
        """Make another house with some options changed; maps are changed key by key."""
        merged: dict[str, Value] = {option: plain(value) for option, value in self._options.items()}
        for option, value in changes.items():
            merged[option] = _laid_over(merged.get(option), value)
        trusted = set(self.book.options) - set(changes) if self._as_given else frozenset[str]()
        return House(self.book, merged, name=self.name, currency=self.currency, plain_options=True, as_given=trusted)

    def _checked(self, name: str, value: Value) -> Value:
        option = self.book.options[name]
        value = option.default if value is ... else option.check(value, name, bounds=name not in self._as_given)
        if name == "game" and value not in self.book.games:
            raise HouseError("malformed", name, f"{self.book.title} knows {', '.join(self.book.games)}, not {value}")
        if isinstance(value, tuple):
            for wager in value:
                if wager not in self.book.wagers:
                    raise HouseError("malformed", name, f"{self.book.title} has no wager {wager!r}")
        if name in MAP_KEYS_OF_DEFAULT and set(value) != set(option.default):
            raise HouseError("malformed", name, f"expected a multiple for each of {', '.join(option.default)}")
        if name == "vig_timing":
            self._check_vig_timing(value)
        if name == "paytable":
            self._check_paytable(value)
        return value

    def _check_vig_timing(self, timing: Mapping[str, str]) -> None:
        keys = vig_keys(self.book)
        for key in timing:
            if key not in keys:
                raise HouseError("malformed", f"vig_timing.{key}", "no such wager with vigorish")

    def _check_paytable(self, overrides: Mapping[str, str]) -> None:
        """Hold changed odds against the book: wording, then what is fixed, then what is a minimum."""
        refusals = self.book.refusals
        for key, text in overrides.items():
            where = f"paytable.{key}"
            row = self.book.pays.get(key)
            if row is None:
                raise HouseError("bad_paytable", where, "no such row in the pay table", refusals["bad_paytable"])
            try:
                odds = Odds.parse(text)
            except OddsWordingError as error:
                raise HouseError("odds_wording", where, str(error), refusals["odds_wording"]) from None
            except MoneyError as error:
                raise HouseError("bad_paytable", where, str(error), refusals["bad_paytable"]) from None
            if "paytable" in self._as_given:
                continue
            if row.law == "fixed" and odds.ratio != row.odds.ratio:
                raise HouseError("fixed_odds", where, f"the odds are fixed at {row.odds}, not {odds}", row.law_cite)
            if row.law == "minimum" and odds.ratio < row.odds.ratio:
                what = f"{odds} is less than the least odds of {row.odds}"
                raise HouseError("below_minimum_odds", where, what, row.law_cite)

    def _check_together(self) -> None:
        """Check what no option can see alone."""
        options = self._options
        for least, most in (("min_bet", "max_bet"), ("prop_min", "max_bet"), ("fire_min", "fire_max")):
            low, high = options.get(least), options.get(most)
            if low is not None and high is not None and low > high:
                raise HouseError("malformed", least, f"{low} is more than {most}, {high}")
        for name in CALLS:
            for wager in options.get(name, ()):
                text = self.book.wagers[wager]
                if not may_be_off(text):
                    raise HouseError("malformed", name, f"{text.title} is always working")


def _house_again(book: Book, options: Mapping[str, Value], name: str, currency: str, trusted: Set[str]) -> House:
    return House(book, options, name=name, currency=currency, plain_options=True, as_given=trusted)


def _laid_over(base: Any, value: Any) -> Any:
    if isinstance(base, Mapping) and isinstance(value, Mapping):
        return {**base, **{str(key) if type(key) is int else key: item for key, item in value.items()}}
    return value


def load_house(path: Path) -> House:
    """Read a house file: `book`, and optionally `name`, `currency` and a table of `options`."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise HouseError("malformed", str(path), f"cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise HouseError("malformed", str(path), f"is not TOML: {error}") from None
    return read_house(table, str(path))


def read_house(table: Mapping[str, Any], where: str = "house") -> House:
    """Make a house from a parsed house file."""
    if unknown := sorted(set(table) - {"book", "name", "currency", "options"}):
        raise HouseError("malformed", f"{where}: {unknown[0]}", "unknown key")
    for key in ("book", "name", "currency"):
        if not isinstance(table.get(key, ""), str):
            raise HouseError("malformed", f"{where}: {key}", f"expected text, not {table[key]!r}")
    if "book" not in table:
        raise HouseError("malformed", f"{where}: book", "missing: which book does this house play by?")
    options = table.get("options", {})
    if not isinstance(options, Mapping):
        raise HouseError("malformed", f"{where}: options", f"expected a table, not {options!r}")
    return House(load_book(table["book"]), options, name=table.get("name", ""), currency=table.get("currency"))


def open_house(place: House | Book | str) -> House:
    """Take a house, or the default house of a book or of a book's name.

    >>> open_house("NJ").book.id
    'new_jersey'
    """
    if isinstance(place, House):
        return place
    return House(load_book(place) if isinstance(place, str) else place)
